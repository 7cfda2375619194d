"""Where heavy work is done: by threads and processes of this machine, or on a cluster by Ray.

Work is cut into tasks whose results do not depend on who does them, and results are taken in the order of the tasks. So
what comes out is the same, to the byte, wherever it was done and however many have helped.
"""
