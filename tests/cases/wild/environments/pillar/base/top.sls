base:
  '*':
    - environments1
    - two_roots2
    - two_roots2-default
    - two_roots3
    - two_roots3-default
    - words4
    - pulled_in5
    - two_roots6
    - two_roots6-default
    - matchers7.gl*
    - loads8
    - anchors9
  'web*':
    - match: glob
    - matchers7.glob
  'os:Debian':
    - match: grain
    - matchers7.grain
  'G@roles:web and not db*':
    - matchers7.compound
  '( G@os_family:RedHat and E@^(db|web)[0-9] ) or P@site:(fra|lon)':
    - matchers7.compound
  'matchers7_outer':
    - match: nodegroup
    - matchers7.group
  '^(web|db)[0-9]+\\..*':
    - match: pcre
    - matchers7/pcre
  'web1.ams.example.net,db1.fra.example.net':
    - match: list
    - matchers7.list
  '{{ grains.id }}':
    - matchers7.templated
  'os:(Debian|Rocky)':
    - match: grain_pcre
    - matchers7.grain-pcre
