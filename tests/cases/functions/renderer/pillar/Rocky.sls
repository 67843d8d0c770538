rocky: true
