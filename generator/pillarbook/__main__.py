"""Run the command line as ``python -m pillarbook``."""

from pillarbook.cli import main

if __name__ == "__main__":
    main()
