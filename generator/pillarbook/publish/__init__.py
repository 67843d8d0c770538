"""MkDocs: the plugin, the theme's entry point, and building a site in this process."""
