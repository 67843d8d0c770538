yaml6_colon: http: //x
