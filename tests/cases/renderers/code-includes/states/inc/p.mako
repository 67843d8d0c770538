where: states
