yaml5_good: {ok: yes}
