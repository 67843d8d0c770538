"""Read-only file trees: the folders of ``pillar_roots``, and the trees of a git revision."""
