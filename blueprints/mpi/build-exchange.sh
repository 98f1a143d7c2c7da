#!/bin/bash
# Compile the program that measures how fast nodes exchange messages. The start-up script of each node, so a node is
# ready when it has the program.
set -euo pipefail

SOURCE=/opt/exchange/exchange.c
if [[ ! /usr/local/bin/exchange -nt $SOURCE ]]; then
    mpicc -O2 -o /usr/local/bin/exchange "$SOURCE"
fi
