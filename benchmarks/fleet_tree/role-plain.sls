  defaults: &limits
    $limits
  tenants:
    small:
      <<: *limits
      quota: 10
    large:
      <<: *limits
      quota: 100
  banner: |
    The $role service.
    Ask before you restart it.
  members:
    - {name: one, weight: 1}
    - {name: two, weight: $weight}
