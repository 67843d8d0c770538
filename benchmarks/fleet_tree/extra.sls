$kind:
  $name:
    $settings
  tags: [$kind, $name]
common:
  sysctl:
    vm.swappiness: 1
