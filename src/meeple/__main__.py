"""`python -m meeple` is the command `meeple`."""

import sys

from meeple.cli.interrupt import install, pressed, say


def main() -> None:
    """Listen for Ctrl-C first, then load what takes a while, then run."""
    install()
    try:
        from meeple.cli.main import main as run
    except BaseException:
        if pressed():
            sys.exit(say())
        raise
    run()


if __name__ == "__main__":
    main()
