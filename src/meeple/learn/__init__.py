"""Learners. PyTorch computes gradients here and nothing else; what they learn is played by meeple.nets."""
