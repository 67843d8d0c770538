x: {{ grains.get("new") }}
r: {{ grains.roles }}
