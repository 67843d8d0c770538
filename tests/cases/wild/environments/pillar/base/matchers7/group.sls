matchers7: {group: 1}
