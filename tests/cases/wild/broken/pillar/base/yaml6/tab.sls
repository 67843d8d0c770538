yaml6_tab:
	a: 1
