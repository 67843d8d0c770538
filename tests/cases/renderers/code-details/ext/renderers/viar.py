def render(data, saltenv="base", sls="", **kws):
    r = kws["renderers"]
    return r["yaml"](r["jinja"](data, saltenv, sls, **kws), saltenv, sls)
