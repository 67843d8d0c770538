"""pillarbook compiles Salt pillar offline and writes a MkDocs site about it."""

__version__ = "0.1.0"
