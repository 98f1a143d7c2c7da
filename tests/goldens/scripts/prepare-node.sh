#!/bin/bash
sysctl --write vm.max_map_count=1048576
