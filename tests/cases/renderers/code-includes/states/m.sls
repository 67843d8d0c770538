W = "states"
