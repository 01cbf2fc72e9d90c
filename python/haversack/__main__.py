"""`python -m haversack`: the same as the command `haversack`."""

from haversack.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
