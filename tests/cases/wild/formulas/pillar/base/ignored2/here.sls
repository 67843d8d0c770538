ignored2: {here: yes}
