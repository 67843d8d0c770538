include: [d..e, /t, ..t]
i: 1
