include: [.z, ..c]
