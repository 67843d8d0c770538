t: "{{ sls }} {{ slspath }} {{ tplpath.split("/")[-1] }} {{ tpldir }} {{ tplfile }}"
