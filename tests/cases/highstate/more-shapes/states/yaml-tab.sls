a:
	- b
