"""Agents and games of somebody's own, with faults of every kind."""

from __future__ import annotations

from random import Random

from tests.fuzz.case import GAMES, Case, some

AGENT = """
from meeple.core.agent import AgentKind, Param
class Mine:
    {attribute}
    def __init__(self, variant{params}): {init}
    def choose(self{argument}):
        {before}
        return {answer}
AGENTS = {agents}
"""
SOUND = {
    "attribute": "x = 1",
    "params": "",
    "init": "self.n = 0",
    "argument": ", seen",
    "before": "pass",
    "answer": "seen.legal[0]",
}
SOUND["agents"] = "(AgentKind('mine', 'first', Mine),)"
FAULTS = {
    "attribute": [
        "clairvoyant = True",
        "1 / 0",
        "choose = 5",
        "__slots__ = ('y',)",
        "begin = 5",
        "def begin(self, *a): raise ValueError('no')",
    ],
    "params": [", more", ", *, n"],
    "init": [
        "raise RuntimeError('no')",
        "return 5",
        "del variant.game",
        "self.choose = None",
        "import sys; sys.exit(3)",
        "open('/nowhere/x')",
    ],
    "argument": ["", ", seen, more", ", *, seen", ", **all"],
    "before": [
        "raise ValueError('boom')",
        "1 / 0",
        "undefined",
        "seen.nothing",
        "assert False",
        "raise Exception",
        "raise MemoryError",
        "import sys; sys.exit(7)",
    ],
    "answer": [
        "None",
        "1.5",
        "[]",
        "[0]",
        "'take'",
        "''",
        "10 ** 30",
        "-1",
        "99",
        "True",
        "seen",
        "seen.legal",
        "float('nan')",
        "b'1'",
        "object()",
        "2 ** 31",
    ],
    "agents": [
        "5",
        "()",
        "None",
        "[5]",
        "'mine'",
        "Mine",
        "(AgentKind('mine', 'x', Mine), AgentKind('mine', 'y', Mine))",
        "[[]]",
        "{{}}",
    ],
}
FAULTS["before"] += [
    "raise KeyError('a\\nb\\nc')",
    "raise UnicodeError",
    "raise RecursionError",
    "f = lambda: f(); f()",
    "raise OSError(28, 'full')",
    "raise StopIteration",
]
FAULTS["answer"] += [
    "seen.seed % 2",
    "seen.sample(3)",
    "seen.moves[0]",
    "len(seen.history)",
    "print('hello') or 0",
    "lambda: 0",
    "1j",
    "'🎲'",
    "seen.legal[0] + 0.0",
]
FAULTS["agents"] += [
    "(AgentKind('random', 'x', Mine),)",
    "(AgentKind('', 'x', Mine),)",
    "(AgentKind('a b', 'x', Mine),)",
    "(AgentKind('mine', 5, Mine),)",
]
FAULTS["agents"] += [
    "(AgentKind('mine', 'x', None),)",
    "(AgentKind('mine', 'x', lambda variant: None),)",
    "(AgentKind('mine', 'x', lambda: Mine(1)),)",
]
FAULTS["agents"] += [
    "(AgentKind('mine', 'x', Mine, (Param('n', 'x', 'y'),)),)",
    "(AgentKind('mine', 'x', Mine, games=('nothing',)),)",
    "(AgentKind(),)",
]
FAULTS["agents"] += [
    "(AgentKind('mine', 'x', Mine, 5),)",
    "(AgentKind('mine', 'x', Mine, (5,)),)",
    "(AgentKind('mine', 'x', Mine, clairvoyant=5),)",
]
FILES = [
    b"",
    b"\xff\xfe\x00",
    b"AGENTS = (",
    b"import nothing_like_it\nAGENTS = ()\n",
    b"raise ValueError('no')\n",
    b"x = 1\n",
    b"\0",
    b"def f(:\n  pass\n",
]
FILES += [
    b"import sys; sys.exit(4)\n",
    b"from meeple.core.agent import nothing\n",
    b"AGENTS = property(1)\n",
    b"  AGENTS = ()\n",
    b"raise KeyboardInterrupt\n",
]


def draw_agent(random: Random) -> Case:
    """A file for --code."""
    parts = dict(SOUND)
    for name in random.sample(sorted(FAULTS), random.choice([0, 1, 1, 1, 1, 2])):
        parts[name] = some(random, FAULTS[name])
    text = random.choice(FILES) if random.random() < 0.1 else AGENT.format(**parts).encode()
    name = some(random, ["mine.py", "mine.py", "mine.py", "mine.txt", "a b.py", "ünï.py", "random.py"])
    code = ["--code", name]
    who = some(random, ["mine", "mine", "mine", "mine:n=1", "mine:", "random"])
    words = [
        ["match", "tiny:guess", who, "random", "--games", "2", "--processes", "1", *code],
        ["match", "tiny:pot", who, "--games", "2", "--processes", "1", "--json", *code],
        ["tournament", "tiny:nim", who, "random", "guided", "--games", "2", "--processes", "1", *code],
        ["simulate", "tiny:nim", "--games", "2", "--agents", who, *code],
        ["study", "tiny:nim", "--games", "2", "--agents", who, *code],
        ["play", "tiny:nim", "--opponent", who, *code],
        ["exploit", "tiny:nim", who, "--iterations", "4", "--games", "2", "--processes", "1", *code],
        ["match", "tiny:nim", f"phases:turn=({who})", "random", "--games", "2", "--processes", "1", *code],
        ["analyze", "tiny:nim", "--iterations", "4", *code],
    ]
    argv = random.choices(words, [8, 2, 2, 2, 2, 3, 2, 1, 1])[0]
    return Case("agent", argv, {name: text}, typed="1\n1\n1\nquit\n", fresh=random.random() < 0.01)


# What stands in a game's file, and what a slip of the hand makes of it.
SLIPS = [
    ("s.seat = 0", "s.seet = 0"),
    ("s.seat = 0", "s.seat = 7"),
    ("s.seat = 0", "pass"),
    ("s.luck[0] = derive(seed, 0)", "s.luck[0] = 5"),
    ("s.luck[0] = derive(seed, 1)", "pass"),
    ("s.sticks = STICKS", "s.sticks = -1"),
    ("s.sticks = STICKS", "s.sticks = 'x'"),
    ("return min(3, int(s.sticks)) if s.tiny == NIM else 2", "return 0"),
    ("return min(3, int(s.sticks)) if s.tiny == NIM else 2", "return -1"),
    ("return min(3, int(s.sticks)) if s.tiny == NIM else 2", "return None"),
    ("return min(3, int(s.sticks)) if s.tiny == NIM else 2", "return 1.5"),
    ("return min(3, int(s.sticks)) if s.tiny == NIM else 2", "raise ValueError('no')"),
    ("return min(3, int(s.sticks)) if s.tiny == NIM else 2", "return 2"),
    ("out[i] = i", "out[i] = 7 * i - 3"),
    ("out[i] = i", "out[i + 1000] = i"),
    ("for i in range(3):", "for i in range(100):"),
    ("s.turn += 1", "s.trun += 1"),
    ("s.turn += 1", "s.turn -= 1"),
    ("s.turn += 1", "1 / 0"),
    ("s.end = 1\n", "s.end = 9\n"),
    ("s.end = 1\n", "s.end = 0\n"),
    ("s.seat = 1 - s.seat", "s.seat = 5"),
    ("out[0] = s.sticks", "out[99] = s.sticks"),
    ("out[0] = s.sticks", "out[0] = s.card"),
    ("out[0] = s.sticks", "out[0] = 10 ** 30"),
    ("out[1] = 1.0 - out[0]", "out[1] = 7.0"),
    ("out[1] = 1.0 - out[0]", "out[1] = -out[0] / 0"),
    ("s.card = draw(s.luck, 2)\n\n\n@kernel\ndef outcome", "pass\n\n\n@kernel\ndef outcome"),
    ('name="tiny"', 'name=""'),
    ('name="tiny"', 'name="jaipur"'),
    ('name="tiny"', 'name="a b/c"'),
    ('name="tiny"', "name=5"),
    ("version=1", "version='x'"),
    ("version=1", "version=-1"),
    ("dtype=STATE", "dtype=int"),
    ("dtype=STATE", "dtype=None"),
    ('ends=(PLAYING, End("over"))', "ends=()"),
    ('ends=(PLAYING, End("over"))', "ends=5"),
    ("deal=deal", "deal=None"),
    ("apply=apply", "apply=legal"),
    ("outcome=outcome", "outcome=lambda s: 0"),
    ("shape=shape", "shape=lambda chosen: None"),
    ("shape=shape", "shape=5"),
    ("format_action=format_action", "format_action=lambda variant, action: 'x'"),
    ("format_action=format_action", "format_action=lambda variant, action: None"),
    ("format_action=format_action", "format_action=lambda variant, action: 1 / 0"),
    ('hidden={"luck": "all", "card": "all"}', 'hidden={"lukc": "all"}'),
    ('hidden={"luck": "all", "card": "all"}', "hidden=5"),
    ("view=lambda s, seat: {", "view=lambda s, seat: 1 / 0 or {"),
    ('board=lambda seen: f"{seen}"', "board=lambda seen: None"),
    ('board=lambda seen: f"{seen}"', "board=lambda seen: seen['nothing']"),
    ("Shape(1 if pot else 2, 3, 3, 12,", "Shape(1 if pot else 2, 3, 1, 12,"),
    ("Shape(1 if pot else 2, 3, 3, 12,", "Shape(0, 3, 3, 12,"),
    ("Shape(1 if pot else 2, 3, 3, 12,", "Shape(99, 3, 3, 12,"),
    ("Shape(1 if pot else 2, 3, 3, 12,", "Shape(1 if pot else 2, -1, 3, 12,"),
    ("Shape(1 if pot else 2, 3, 3, 12,", "Shape(1 if pot else 2, 3, 3, 2,"),
    ("Shape(1 if pot else 2, 3, 3, 12,", "Shape(1.5, 3, 3, 12,"),
    ("GAME = Game(", "OTHER = Game("),
    ("GAME = Game(", "GAME = 5\nOTHER = Game("),
    ("GAME = Game(", "GAME = dict("),
    ("from meeple.core.kernel import kernel", "from meeple.core.kernel import kernle"),
    ("STATE = state_dtype([", "STATE = state_dtype(["[:-1] + "5) or ["),
    ("@kernel\ndef legal", "def legal"),
    ("def apply(s: Any, action: int)", "def apply(s: Any)"),
    ("def deal(s: Any, config: Any, seed: Any)", "def deal(s: Any)"),
    ('Choice("variant", {', 'Choice("variant", {}) if 1 else Choice("variant", {'),
    ("guide=lambda _: Ignorant()", "guide=lambda _: None"),
    ("guide=lambda _: Ignorant()", "guide=5"),
    ("logits[i] = 0.0", "logits[i] = float('nan')"),
    ("values[seat] = s.pot if s.tiny == POT else 0.5", "values[seat + 50] = 1.0"),
]
BOTS = ["AGENTS = 5\n", "raise ValueError('no')\n", "import nothing_like_it\n", "AGENTS = (5,)\n", "def f(:\n", ""]


def draw_game(random: Random) -> Case:
    """The folder of a game, with a slip or two; without the compiler, which would take a minute for each."""
    text = (GAMES[0] / "__init__.py").read_text()
    for old, new in random.sample(SLIPS, random.choice([1, 1, 1, 2])):
        text = text.replace(old, new, 1)
    data = (
        text.encode()
        if random.random() < 0.9
        else random.choice([text.encode()[: random.randrange(len(text))], b"", b"\xff\0", b"GAME ="])
    )
    folder = some(random, ["mine", "mine", "mine", "a b", "ünï", "json", "meeple"])
    files = {f"{folder}/__init__.py": data}
    for name in ("bots.py", "solver.py"):
        if random.random() < 0.1:
            files[f"{folder}/{name}"] = some(random, BOTS).encode()
    spec = f"./{folder}" + some(random, ["", "", "/", ":nim", ":nimm", ":guess"])
    words = [
        ["check", spec, "--games", "1", "--audit", "1", "--envs", "1"],
        ["check", spec, "--games", "1", "--envs", "0", "--json"],
        ["simulate", spec, "--games", "2"],
        ["match", spec, "random", "random", "--games", "2", "--processes", "1"],
        ["match", spec, "mcts:iterations=4", "random", "--games", "2", "--processes", "1"],
        ["play", spec, "--opponent", "random"],
        ["list", "games"],
        ["list", folder],
        ["analyze", spec, "--iterations", "4"],
        ["study", spec, "--games", "2"],
        ["solve", spec],
    ]
    argv = random.choices(words, [8, 2, 3, 3, 2, 3, 1, 1, 1, 1, 1])[0]
    return Case("game", argv, files, typed="1\n1\n1\nquit\n", compiled=random.random() < 0.01)
