from __future__ import annotations

import subprocess
import sys

import pytest

from ninefold import NinefoldError


@pytest.mark.parametrize(
    ("module", "missing", "sentence"),
    [
        ("ninefold_v0", "pettingzoo", "PettingZoo; install it with: pip install 'ninefold[rl]'"),
        ("gymnasium_env", "gymnasium", "Gymnasium; install it with: pip install 'ninefold[rl]'"),
        ("batch", "numpy", "NumPy; install it with: pip install 'ninefold[rl]'"),
        ("openspiel_game", "pyspiel", "OpenSpiel; install it with: pip install 'ninefold[openspiel]'"),
    ],
)  # fmt: skip
def test_a_missing_extra_is_one_sentence(
    module: str, missing: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"ninefold.rl.{module}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(NinefoldError) as caught:
        __import__(name)
    assert str(caught.value) == f"{name} needs {sentence}"
    assert isinstance(caught.value, ImportError)


def test_ninefold_itself_needs_no_extra() -> None:
    seen = "import sys, ninefold.main, ninefold.rl; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", seen], text=True).split()
    assert {"numpy", "gymnasium", "pettingzoo", "pyspiel"}.isdisjoint(loaded)
