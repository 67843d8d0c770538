"""Worker processes, their limits, and the parent that watches them.

``watchdog`` starts a command in a child and watches it, ``watch`` limits each render, and
``heartbeat`` tells the one of the other.

Several processes work on a fleet in one of two ways. Both fork after everything was read, and let
each process take minions from a ``WorkQueue``, those of one kind together.

- ``SharedWork``: all run the same function in step. It is for what has to be complete, such as the
  output of a command: ``exchange`` gives each what all have found (secrets, above all), large
  results go into files in memory, and if one process is lost there is an error and no result.
  ``session/fleet_shares.py`` is the example: all collect, exchange, freeze and write.
- ``Worker``: a process that helps another one, which does what is left if it is lost.
"""
