matchers7: {glob: 1}
