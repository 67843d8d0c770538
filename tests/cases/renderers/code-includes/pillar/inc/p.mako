where: pillar
