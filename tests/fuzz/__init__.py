"""Everything wrong that a person can type, hand over or do: drawn from a seed, run, and looked at for traces.

`python -m tests.fuzz --cases 5000 --seed 1`; `--only NUMBER` runs one case again and shows it.
"""
