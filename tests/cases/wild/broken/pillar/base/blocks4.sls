blocks4:
  motd: |
    Welcome to heron.

      Indented: {kept} # and this
    Bye.
  stripped: |-
    one
    two
  kept: |+
    one

  folded: >
    These lines
    are one,

    this is another.
  folded_stripped: >-
    a
    b
  indented: |2
      two more
    than here
  list_of_blocks:
    - |
      #!/bin/sh
      exec quartz --port=4234 "$@"
    - plain text
      over two lines
  quoted: "tab\tand \u00e9, \"quoted\""
  single: 'it''s iris'
  umlaut: Köln ✓
