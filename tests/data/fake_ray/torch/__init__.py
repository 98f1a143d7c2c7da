"""As much of PyTorch as the NCCL test uses."""

from torch import distributed as distributed

float32 = "float32"


class _Tensor:
    def fill_(self, value):
        pass


def ones(count, dtype, device):
    assert dtype == float32
    print("elements", count, "on", device)
    return _Tensor()


class cuda:
    synchronize = staticmethod(lambda: None)
