include: [[a]]
