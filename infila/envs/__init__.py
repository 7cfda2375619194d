"""The games in the interfaces that researchers use: PettingZoo, Gymnasium and OpenSpiel (docs/how-to/environments.md).

Each is a thin layer over `episode.Episode`, and needs its library: `pip install 'infila[pettingzoo]'` and so on.
"""
