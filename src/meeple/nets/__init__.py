"""Networks as kernels: whoever plays one needs no PyTorch."""
