yaml5_colon: http: //x
