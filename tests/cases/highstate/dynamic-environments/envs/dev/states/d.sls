include: [w1, {qa: q}, {_xenv: w2}, 'v*', .w2, {{ '{ghost: g}' if opts.id == 'fails' else 'w1' }}]
y: {test.nop: []}
