"""`python -m meeple` is the command `meeple`."""

from meeple.cli.interrupt import install, pressed, stop


def main() -> None:
    """Listen for Ctrl-C first, then load what takes a while, then run."""
    install()
    try:
        from meeple.cli.main import main as run
    except BaseException:
        if pressed():
            stop()
        raise
    run()


if __name__ == "__main__":
    main()
