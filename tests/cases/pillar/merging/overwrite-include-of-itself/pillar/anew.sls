include: [round]
anew: mine
list_anew: [mine]
