"""People at the table: a game between a person and agents, saved after every move.

`meeple.play("jaipur")` calls this module: the room and the function have one name, and importing any file of the room would put the
room in the function's place. So the room itself can be called, and it does not matter who imported what before.
"""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *given: Any, **named: Any) -> Any:
        from meeple.play.start import play  # only now: it loads the games

        return play(*given, **named)


sys.modules[__name__].__class__ = _Callable
