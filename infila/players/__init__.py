"""Computer players: they see what their seat may see, and nothing else."""

LEVELS = ("beginner", "casual", "club", "expert", "master")
USUAL = "club"  # what "computer" means
