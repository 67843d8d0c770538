s: {{ saltenv }}
