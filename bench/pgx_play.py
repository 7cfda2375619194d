"""Random play of pgx's connect_four: many games side by side, each begun anew as soon as it is over.

All in pgx's favour: everything is in one compiled loop, observations are left out, and chance is a xorshift of three
lines instead of JAX's own generator, which costs more than the moves.
"""

import time
from collections.abc import Callable
from typing import Any


def runner(batch: int, steps: int) -> Any:
    """A compiled function that plays so many steps of so many games, and the state to begin with."""
    import jax
    import jax.numpy as jnp
    import pgx

    env = pgx.make("connect_four")
    start = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), batch))
    luck = jnp.arange(1, batch + 1, dtype=jnp.uint32) * jnp.uint32(2654435761)
    step = jax.vmap(env.step)

    def one(_: Any, carry: Any) -> Any:
        state, luck = carry
        luck = luck ^ (luck << 13)
        luck = luck ^ (luck >> 17)
        luck = luck ^ (luck << 5)
        places = jnp.cumsum(state.legal_action_mask, axis=1, dtype=jnp.uint32)
        wanted = (luck >> 8) % places[:, -1]
        action = jnp.sum(places <= wanted[:, None], axis=1)
        after = step(state, action)
        over = after.terminated

        def begun_anew(first: Any, now: Any) -> Any:
            return jnp.where(over.reshape((batch,) + (1,) * (now.ndim - 1)), first, now)

        after = after.replace(observation=state.observation)
        return jax.tree_util.tree_map(begun_anew, start, after), luck

    @jax.jit  # type: ignore[untyped-decorator]
    def play(state: Any, luck: Any) -> Any:
        return jax.lax.fori_loop(0, steps, one, (state, luck))

    return play, (start, luck)


def speed(batch: int, steps: int, times: int = 3, clock: Callable[[], float] = time.perf_counter) -> float:
    """Moves a second, the best of some runs; compiling is not counted."""
    import jax

    play, carry = runner(batch, steps)
    carry = jax.block_until_ready(play(*carry))
    best = 0.0
    for _ in range(times):
        begin = clock()
        carry = jax.block_until_ready(play(*carry))
        best = max(best, batch * steps / (clock() - begin))
    return best
