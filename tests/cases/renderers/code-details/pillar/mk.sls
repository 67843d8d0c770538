#!mako|yaml
m1: ${salt["grains.get"]("net:ip")}
m2: ${grains.get("zz", "no")}
m3: ${tplfile}-${slspath}-${sls}
m4: ${opts["id"]}
m5: ${grains["net"]}
