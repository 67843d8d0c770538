include: [s2, .s3, s6: {key: k}]
a: x{{ saltenv }}y
