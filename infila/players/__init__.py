"""Computer players: they see what their seat may see, and nothing else."""

LEVELS = ("beginner", "casual", "club", "expert", "master")  #: from weak to strong
USUAL = "club"  #: what "computer" means
