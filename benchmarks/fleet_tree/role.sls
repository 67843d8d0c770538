# The $role role.
include:
  - roles.$role.service:
      key: services:$role
      defaults:
        port: $port
        weight: $weight

$role:
  version: 2.$weight.1
  packages: [$packages]
  password: $secret
  settings:
    $settings
$body
