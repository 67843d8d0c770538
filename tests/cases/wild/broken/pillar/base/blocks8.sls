blocks8:
  motd: |
    Welcome to rowan.

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
      exec fjord --port=5248 "$@"
    - plain text
      over two lines
  quoted: "tab\tand \u00e9, \"quoted\""
  single: 'it''s juniper'
  umlaut: Köln ✓
