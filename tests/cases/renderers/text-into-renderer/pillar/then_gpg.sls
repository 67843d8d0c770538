#!json|yaml|gpg
"g: 1"
