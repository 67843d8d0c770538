yaml5_tab:
	a: 1
