# Meeple for the machines of a cluster: every version from the lock file, with Ray, learners and tuning.
#   docker build -t meeple .
#   docker run --rm meeple match jaipur:round advanced1 basic3 --games 100
# All machines of a cluster run the same image, so they have the same Python, Ray and Meeple (docs/scaling.md).
FROM python:3.11-slim

WORKDIR /meeple
RUN useradd --create-home player && chown player /meeple
USER player
ENV PATH=/home/player/.local/bin:$PATH \
    OMP_NUM_THREADS=1 \
    RAY_USAGE_STATS_ENABLED=0 \
    MEEPLE_CACHE=/home/player/kernels

# Every version comes from the lock file. PIP_EXTRA_INDEX_URL may name an index with a PyTorch for processors alone, which is smaller.
ARG PIP_EXTRA_INDEX_URL=""
COPY --chown=player pyproject.toml requirements.lock README.md LICENSE ./
COPY --chown=player src ./src
RUN pip install --user --no-cache-dir -c requirements.lock ".[learn,ray,tune]"

# Kernels of the games, compiled for the processor that builds; another processor compiles its own at the first game.
RUN meeple warm --no-search

ENTRYPOINT ["meeple"]
