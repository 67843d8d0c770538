matchers7: {pcre: 1}
