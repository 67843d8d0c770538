"""Targets that gave a minion SLS files in the base and give it none of them in the head."""

from pillarbook.redact.redacted_pillar import RedactedPillar, RedactedTarget


def find_lost_targets(base: RedactedPillar, head: RedactedPillar) -> tuple[RedactedTarget, ...]:
    """Return the targets of the base of which a minion no longer gets any SLS.

    A target that still matches is not lost, even if it gives other SLS files; nor is one whose
    SLS the minion now gets from another target, such as a renamed one. The environment does not
    count: a minion that moves to another one gets what the same targets give there.
    """
    matched = [one for one in head.targets if one.matched]
    kept = {(one.match, one.target) for one in matched}
    given = {sls for one in matched for sls in one.sls}
    return tuple(
        one
        for one in base.targets
        if one.matched and one.sls
        if (one.match, one.target) not in kept and given.isdisjoint(one.sls)
    )
