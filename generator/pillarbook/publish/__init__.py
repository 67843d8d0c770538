"""MkDocs: the plugin, the theme's entry point, and building a site in this process."""

# First of all: after it, the other modules can import mkdocs, also where ProperDocs is behind it.
import pillarbook.publish.engine  # noqa: F401
