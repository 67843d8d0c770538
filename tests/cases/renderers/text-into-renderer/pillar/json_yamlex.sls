#!json|yamlex
"y: !aggregate [1]"
