"""Measures the network between GPUs: an all-reduce over all GPUs of some Ray workers.

Usage: nccl_test.py --nodes 2 --gpus-per-node 8 --size-gb 8 --iterations 10 --min-bandwidth 350 --wait 1800

Prints one line for each iteration and a summary, all bandwidths in GB/s (10^9 bytes). Ends with 0 if the
median bus bandwidth reaches the minimum, with 1 if it does not, with 2 if the workers did not come.

It runs in Ray pods, with nothing but ray and torch beside it.
"""

import argparse
import socket
import statistics
import sys
import time

GIB = 1024**3
WARM_UP = 5
REACHED, TOO_SLOW, NO_WORKERS = 0, 1, 2


def bus_bandwidth(size: int, seconds: float, ranks: int) -> float:
    """GB/s that each link of a ring carries when `ranks` GPUs reduce `size` bytes each.

    In an all-reduce every GPU sends, and receives, its data 2(n-1)/n times, however the reduction is done
    (NVIDIA nccl-tests, doc/PERFORMANCE.md). One GPU alone sends nothing.
    """
    return size / seconds * 2 * (ranks - 1) / ranks / 1e9


def verdict(bandwidths: "list[float]", minimum: float) -> int:
    """Print the summary, and return the exit status."""
    median = statistics.median(bandwidths)
    print(f"bus bandwidth: median {median:.1f}, least {min(bandwidths):.1f}, most {max(bandwidths):.1f} GB/s")
    if median < minimum:
        print(f"FAILED: {median:.1f} GB/s is less than {minimum:g} GB/s")
        return TOO_SLOW
    print(f"passed: {median:.1f} GB/s, at least {minimum:g} GB/s were asked for")
    return REACHED


class Rank:
    """One GPU's part; Ray makes an actor of it."""

    def address(self) -> str:
        """Where the other ranks find this one."""
        with socket.socket() as free:
            free.bind(("", 0))
            port = free.getsockname()[1]
        import ray

        return f"tcp://{ray.util.get_node_ip_address()}:{port}"

    def measure(self, rank: int, ranks: int, address: str, size: int, iterations: int) -> "list[float]":
        """Seconds of each all-reduce, as this rank sees them."""
        import torch
        from torch import distributed

        distributed.init_process_group("nccl", init_method=address, rank=rank, world_size=ranks)
        data = torch.ones(size // 4, dtype=torch.float32, device="cuda")
        seconds = []
        for _ in range(WARM_UP + iterations):
            distributed.barrier()
            torch.cuda.synchronize()
            begun = time.perf_counter()
            distributed.all_reduce(data)
            torch.cuda.synchronize()
            seconds.append(time.perf_counter() - begun)
            data.fill_(1)
        distributed.destroy_process_group()
        return seconds[WARM_UP:]


def measure(nodes: int, gpus: int, size: int, iterations: int, wait: float) -> "list[float] | None":
    """Bus bandwidth of each iteration; None if the workers did not come in time."""
    import ray
    from ray.util.placement_group import placement_group
    from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

    ray.init()
    # Each node is a bundle of all its GPUs, so that no two are put on one node.
    group = placement_group([{"GPU": gpus, "CPU": gpus}] * nodes, strategy="STRICT_SPREAD")
    if not group.wait(wait):
        return None
    actor = ray.remote(num_gpus=1, num_cpus=1)(Rank)
    ranks = [
        actor.options(
            scheduling_strategy=PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=node)
        ).remote()
        for node in range(nodes)
        for _ in range(gpus)
    ]
    address = ray.get(ranks[0].address.remote())
    found = ray.get(
        [each.measure.remote(rank, len(ranks), address, size, iterations) for rank, each in enumerate(ranks)]
    )
    # An all-reduce has ended when its last rank has.
    slowest = [max(seconds) for seconds in zip(*found)]  # noqa: B905 - the Python of the image may be older
    return [bus_bandwidth(size, seconds, len(ranks)) for seconds in slowest]


def positive(text: str) -> int:
    """A whole number of at least 1."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return int(text)


def main() -> int:
    """Measure, print, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--nodes", type=positive, default=2)
    parser.add_argument("--gpus-per-node", type=positive, default=8)
    parser.add_argument("--size-gb", type=positive, default=8)
    parser.add_argument("--iterations", type=positive, default=10)
    parser.add_argument("--min-bandwidth", type=float, default=0)
    parser.add_argument("--wait", type=float, default=1800)
    options = parser.parse_args()
    print(
        f"all-reduce of {options.size_gb} GiB on {options.nodes} x {options.gpus_per_node} GPUs", flush=True
    )
    found = measure(
        options.nodes, options.gpus_per_node, options.size_gb * GIB, options.iterations, options.wait
    )
    if found is None:
        print(f"FAILED: {options.nodes} workers with {options.gpus_per_node} GPUs did not come in time")
        return NO_WORKERS
    for number, bandwidth in enumerate(found, 1):
        print(f"iteration {number}: {bandwidth:.1f} GB/s")
    return verdict(found, options.min_bandwidth)


if __name__ == "__main__":
    sys.exit(main())
