#!py
"""What the next release is built and tested on: each system with each of its databases."""

SYSTEMS = {"debian12": ["postgres15", "postgres16"], "rocky9": ["postgres16"]}


def run():
    """Return one job a pair; the runner's processors are shared out evenly."""
    pairs = [(system, database) for system in SYSTEMS for database in SYSTEMS[system]]
    share = max(__grains__["num_cpus"] // len(pairs), 1)
    return {
        "ci": {
            "matrix": [
                {"system": system, "database": database, "jobs": share}
                for system, database in pairs
            ]
        }
    }
