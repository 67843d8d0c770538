"""Worker processes, their limits, and the parent that watches them.

``watchdog`` starts a command in a child process and watches it, ``render_limits`` limits each
render, and ``heartbeat`` tells the watchdog which render is running.

Several processes work on a fleet in one of two ways. In both, they are forked after everything was
read, and take minions from a ``WorkQueue``, which keeps similar minions together.

- ``SharedWork``: all processes run the same function in step. It is for results that must be
  complete, such as the output of a command. With ``exchange``, each process sends its secrets to
  all others; large results are in files in memory. If one process is lost, the whole work fails.
  See ``session/fleet_shares.py``.
- ``Worker``: a process that helps another one. If it is lost, the other process does the rest.
"""
