yaml6_good: {ok: yes}
