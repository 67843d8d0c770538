include:
  - keyed3.user:
      defaults:
        user: karst
        size: 6832
      key: keyed3:users:first
  - keyed3.team:
      key: keyed3:team
keyed3: {own: 1}
