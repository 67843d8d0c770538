base:
  '*':
    - filters1
    - filters2
    - words3
    - anchors4
    - imports5
    - tags6
    - flow7
