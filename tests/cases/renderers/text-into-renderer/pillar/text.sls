#!json|yaml
"x"
