three: {{ saltenv }} {{ tpldir }} {{ slspath }}
