third: text
