anew: late
