"""The front door: the names a user may rely on, and nothing else."""

__all__: list[str] = []
