matchers7: {compound: 1}
