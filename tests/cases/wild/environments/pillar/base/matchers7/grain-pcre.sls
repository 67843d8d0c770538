matchers7: {grain_pcre: 1}
