"""A Ray cluster: pieces of work are done by many machines, or by this one's cores as a cluster that lasts as long as a command.

Ray is an extra, and all that knows of it is here: `connection` starts or joins a cluster and leaves it, `luggage` is what a worker
must have before it does anything, `link` notices that a cluster is lost, `pieces` is an executor like the others, and `crew` keeps
objects that live on workers, such as games in progress.
"""
