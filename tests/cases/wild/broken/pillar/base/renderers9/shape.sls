include: renderers9.other
renderers9: 1
