__virtualname__ = "own"
def __virtual__():
    return __virtualname__
def ext_pillar(minion_id, pillar, *args, **kwargs):
    return {"own": {"id": minion_id, "pillar": pillar, "args": list(args), "kw": kwargs, "grain": __grains__["id"], "opt": __opts__["id"], "file": __opts__["state_top"], "salt": __salt__["grains.get"]("id"), "pp": dict(__pillar__)}}
