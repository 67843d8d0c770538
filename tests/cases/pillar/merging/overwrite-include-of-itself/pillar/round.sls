include: [anew, e.late]
anew: round
list_anew: [round]
