include: [.a, sub.z, {dev: x}]
