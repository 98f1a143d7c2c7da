"""Delivery of reviews: workflows for forges, and one comment per pull request that is kept up to date.

Each path is testable here. `action.yml` has steps of a few lines of shell; values are passed through the
environment only, and their output cannot issue runner commands. Decisions in a workflow are made by Python
beside it (`touched`, `standing`, `merged`; on GitLab `issue`). `comment` is one file without dependencies,
because it holds the token. `install.sh` installs the commands of CI from a lock file, out of reach of the
checkout. Templates are inside the package so that wheels include them; `docs/gitops/` is generated from them.
"""
