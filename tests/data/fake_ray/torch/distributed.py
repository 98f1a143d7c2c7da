"""A clock that only an all-reduce moves: a second while warming up, then a hundredth for each rank."""

import itertools
import time

WARM_UP = 5

_seconds = [0.0]
_steps = []

time.perf_counter = lambda: sum(_seconds)


def init_process_group(backend, init_method, rank, world_size):
    _steps[:] = [itertools.chain([1] * WARM_UP, itertools.repeat(0.01 * (rank + 1)))]
    print(backend, init_method.partition(":")[0], rank, "of", world_size)


def barrier():
    pass


def all_reduce(data):
    _seconds.append(next(_steps[0]))


def destroy_process_group():
    pass
