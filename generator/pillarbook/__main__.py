"""Start the command line: ``pillarbook``, and ``python -m pillarbook``."""

import signal


def main() -> None:
    """Run the command line; whoever interrupts it while it loads sees no traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from pillarbook.cli import main as run  # noqa: PLC0415 (loading it takes the time)

    run()


if __name__ == "__main__":
    main()
