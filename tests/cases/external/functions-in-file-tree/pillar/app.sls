app: {port: 80}
