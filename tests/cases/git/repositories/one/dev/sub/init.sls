include: [.other]
sub: 1
