t: {test.nop: [{name: "{{ sls }} {{ slspath }} {{ tplpath.split("/")[-1] }} {{ tpldir }} {{ tplfile }}"}]}
