[{{ saltenv }}, "{{ sls }}", {{ tpldir }}, {{ tplfile }}, {{ grains.os }}]
