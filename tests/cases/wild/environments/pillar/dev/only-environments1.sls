environments1_dev: yes
