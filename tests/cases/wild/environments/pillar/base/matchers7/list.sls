matchers7: {list: 1}
