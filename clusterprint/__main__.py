"""`python -m clusterprint`: the same as the `clusterprint` command."""

from clusterprint.cli import main

if __name__ == "__main__":
    main()
