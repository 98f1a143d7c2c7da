"""Files on this machine: what a blueprint may name, how much of it is read, and how output is replaced."""
