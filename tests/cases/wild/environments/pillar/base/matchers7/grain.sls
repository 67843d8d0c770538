matchers7: {grain: 1}
