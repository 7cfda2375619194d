"""An agent that is a network in an ONNX file: observations, and if it wants them masks, give a number for every action.

The best legal one is played. The network sees what its seat may know and nothing else.
"""

from pathlib import Path
from typing import Any

import numpy as np

from infila.core.contract import Contract
from infila.core.errors import InfilaError

KINDS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(float16)": np.float16,
    "tensor(int8)": np.int8,
    "tensor(int32)": np.int32,
    "tensor(int64)": np.int64,
    "tensor(bool)": np.bool_,
}


class Network:
    """A network. Its first input are the observations, its second, if there is one, the masks, its first output what it
    thinks of every action."""

    def __init__(self, contract: Contract, path: Path) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise InfilaError(f"{path} needs onnxruntime: pip install 'infila[onnx]'.") from None
        if not path.is_file():
            raise InfilaError(f"{path} cannot be read: there is no such file.")
        self.path = path
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1  # contests play on all cores anyway
        options.log_severity_level = 4
        try:
            self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as problem:
            raise InfilaError(f"{path} is not a network that can be read: {str(problem).splitlines()[0]}") from None
        self.actions = contract.rules.ACTIONS
        sizes = (contract.features.SIZE, self.actions)
        self.inputs = self.session.get_inputs()
        if not 1 <= len(self.inputs) <= 2:
            raise InfilaError(f"{path} has {len(self.inputs)} inputs; wanted are observations and, perhaps, masks.")
        for each, size, what in zip(self.inputs, sizes, ("observations", "masks"), strict=False):
            self._check(each, size, f"input, the {what},", contract)
        self._check(self.session.get_outputs()[0], self.actions, "output", contract)

    def _check(self, each: Any, size: int, what: str, contract: Contract) -> None:
        """Refuse a shape that cannot fit; a dimension without a number is any."""
        shape = list(each.shape)
        fits = len(shape) == 2 and not isinstance(shape[0], int) and (not isinstance(shape[1], int) or shape[1] == size)
        if not fits or each.type not in KINDS:
            raise InfilaError(
                f"{self.path}: its {what} is {each.type} of shape {shape}; for {contract.title} it must be any number "
                f"of rows of {size} numbers."
            )

    def act(self, observations: Any, masks: Any) -> Any:
        """The legal action of each row that the network likes best."""
        given = zip(self.inputs, (observations, masks), strict=False)
        fed: dict[str, Any] = {each.name: np.asarray(rows).astype(KINDS[each.type]) for each, rows in given}
        liked = np.asarray(self.session.run(None, fed)[0], np.float64)
        if liked.shape != masks.shape:
            raise InfilaError(f"its output has shape {liked.shape}, not {masks.shape}")
        if np.isnan(liked[masks > 0]).any():
            raise InfilaError("its output has numbers that are none (NaN)")
        # a legal action that it likes infinitely little is still better than an illegal one
        lowest = np.finfo(np.float64).min
        return np.where(masks > 0, np.maximum(liked, lowest), -np.inf).argmax(1)
