locked4: {open: 1}
