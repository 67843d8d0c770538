base:
  t-ext-name:
  - ext-name
  t-ext-new-module:
  - ext-new-module
  t-ext-fun:
  - ext-fun
  t-ext-dot:
  - ext-dot
  t-ext-names:
  - ext-names
  t-ext-excl:
  - ext-excl
  t-ext-str:
  - ext-str
  t-ext-multi:
  - ext-multi
  t-ext-two:
  - ext-two
  t-excl-id-missing:
  - excl-id-missing
  t-alias:
  - alias
  t-alias-req:
  - alias-req
  t-use-list:
  - use-list
  t-in-two:
  - in-two
  t-in-bare:
  - in-bare
  t-in-dots:
  - in-dots
  t-in-dots2:
  - in-dots2
  t-req-dots:
  - req-dots
  t-req-glob:
  - req-glob
  t-req-glob-none:
  - req-glob-none
  t-req-glob-none-sls:
  - req-glob-none-sls
  t-req-num:
  - req-num
  t-req-none:
  - req-none
  t-req-name:
  - req-name
  t-req-name-glob:
  - req-name-glob
  t-order-mix:
  - order-mix
  t-prereq-chain:
  - prereq-chain
  t-prereq-two:
  - prereq-two
  t-prereq-in:
  - prereq-in
  t-prereq-cycle:
  - prereq-cycle
  t-cyc-names:
  - cyc-names
  t-cyc-order:
  - cyc-order
  t-names-odd:
  - names-odd
  t-names-empty:
  - names-empty
  t-names-dup:
  - names-dup
  t-two-same-name:
  - two-same-name
  t-arg-fun-blank:
  - arg-fun-blank
  t-arg-none:
  - arg-none
  t-arg-colon:
  - arg-colon
  t-arg-int:
  - arg-int
  t-req-two:
  - req-two
  t-req-ill:
  - req-ill
  t-sls-str:
  - sls-str
  t-sls-list:
  - sls-list
  t-sls-list-map:
  - sls-list-map
  t-body-dict-order:
  - body-dict-order
  t-body-map:
  - body-map
  t-inc-up:
  - inc-up
  t-inc-map:
  - inc-map
  t-inc-self:
  - inc-self
  t-inc-loop:
  - inc-loop
  t-inc-list:
  - inc-list
  t-inc-none:
  - inc-none
  t-id-int-inc:
  - id-int-inc
  t-id-int:
  - id-int
  t-id-under:
  - id-under
  t-conflict-inc:
  - conflict-inc
  t-short-two:
  - short-two
  t-excl-str:
  - excl-str
  t-excl-odd:
  - excl-odd
  t-onfail:
  - onfail
  t-listen-missing:
  - listen-missing
  t-heavy:
  - heavy
  t-yaml-err:
  - yaml-err
  t-yaml-tab:
  - yaml-tab
  t-retry:
  - retry
  t-req-id-sls-empty:
  - req-id-sls-empty
  t-require-sls-inc:
  - require-sls-inc
  t-agg:
  - agg
  t-jsonq:
  - jsonq
  t-pyq:
  - pyq
  t-base:
  - base
  t-empty:
  - empty
