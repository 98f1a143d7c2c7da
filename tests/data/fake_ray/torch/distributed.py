import time


def init_process_group(backend, init_method, rank, world_size):
    print(backend, init_method.partition(":")[0], rank, "of", world_size)


def barrier():
    pass


def all_reduce(data):
    time.sleep(0.01)


def destroy_process_group():
    pass
