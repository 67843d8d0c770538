functions2_shell: {{ salt['absent.shell']('cat /etc/hostname') | json }}
