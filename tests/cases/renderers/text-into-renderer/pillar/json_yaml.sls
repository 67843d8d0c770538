#!json|yaml
"a: [1, 2]"
