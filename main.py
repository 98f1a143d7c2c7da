"""The cdktf app: `npx cdktf-cli@0.21 synth | list | diff | deploy | destroy` run this file."""

from clusterprint.app import main

if __name__ == "__main__":
    main()
