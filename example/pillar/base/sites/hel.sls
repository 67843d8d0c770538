site:
  name: Helsinki
  code: hel
  gateway: 10.30.0.1
  rack: B
  proxy: ~

# The site has a GPS clock and its own resolvers.
ntp:
  servers: [10.30.0.2]

system:
  timezone: Europe/Helsinki
  resolver:
    nameservers:
      - 10.30.0.53
      - 10.30.1.53
