"""Argument lists: sound ones of every verb, and what fingers, scripts and attackers make of them."""

from __future__ import annotations

from random import Random
from typing import Any

from meeple.cli.main import VERBS, load
from tests.fuzz.case import Case, some

NUMBERS = [
    "-1",
    "0",
    "1",
    "2",
    "3",
    "7",
    "1.5",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "1e400",
    "-1e-400",
    "",
    " ",
    "0x10",
    "٣",
    "²",
    "None",
    "true",
]
NUMBERS += [
    "99999999999999999999999999",
    "-99999999999999999999999999",
    "18446744073709551616",
    "1,2",
    "1;2",
    "'1'",
    '"',
    "½",
    "1e",
    "--",
    "-",
]
TEXTS = [
    "",
    " ",
    "\t",
    "\n",
    "ünï cödé",
    "🎲",
    "'",
    '"',
    "`",
    "$(id)",
    "a b",
    "x" * 300,
    "\udcff",
    "..",
    "[",
    "]",
    "(((",
    "%s",
    "{0}",
    "[red]",
    "[/]",
]
TEXTS += ["\x1b[31m", "\u202e", ",", ":", "=", ":=,", "None", "NaN", "-", "--", "--help", "-h", "0", "\x00".replace("\x00", "\\0")]
PATHS = [
    "",
    ".",
    "..",
    "/",
    "~",
    "-",
    "nowhere",
    "nowhere/x.txt",
    "folder",
    "folder/",
    "garbage.txt",
    "full",
    "ünï cödé.txt",
    "y" * 300,
]
PATHS += [
    "\udcff",
    "empty",
    "a b/c d",
    "x.png",
    "x.txt",
    "x.json",
    "x.sqlite",
    "/dev/null",
    "garbage.txt/x",
    "loop",
    "new/deep/x.txt",
]
GAMES = ["tiny", "tiny:nim", "tiny:guess", "tiny:pot", "sticks", "sticks:alone", "sticks:three"]
NO_GAMES = [
    "",
    " ",
    "tiny:",
    "tiny:nimm",
    "tiny:nim,",
    "tiny:nim,x=1",
    "tiny:nim,variant=pot",
    "tiny:nim:pot",
    ":nim",
    ",",
    "tinny",
    "Tiny",
]
NO_GAMES += [
    "jaipur:rund",
    "jaipur:round,actions=7",
    "jaipur:round,action=25469",
    "rake:simple,x",
    "splendor:9",
    "lotr:hard,decisions=",
    "tiny/nim",
]
NO_GAMES += [
    "./nowhere",
    "folder",
    "./folder",
    "/",
    "garbage.txt",
    "./garbage.txt:nim",
    "tiny:nim=",
    "tiny:\udcff",
    "🎲",
    "tiny nim",
]
AGENTS = [
    "random",
    "random",
    "mcts:iterations=8",
    "mcts:iterations=4,select=puct",
    "flat:iterations=8",
    "guided",
    "expectimax:nodes=8",
]
AGENTS += [
    "mcts:iterations=8,reuse=1",
    "mcts-clairvoyant:iterations=4",
    "mcts:iterations=4,policy=random",
    "flat:iterations=4,cut=2",
]
NO_AGENTS = [
    "",
    " ",
    "randm",
    "Random",
    "random:",
    "random:x=1",
    "mcts:",
    "mcts:iterations",
    "mcts:iterations=",
    "mcts:iterations=-1",
]
NO_AGENTS += [
    "mcts:iterations=0",
    "mcts:iterations=1.5",
    "mcts:iterations=nan",
    "mcts:ms=inf",
    "mcts:ms=nan",
    "mcts:ms=-1",
    "mcts:ms=0,iterations=0",
]
NO_AGENTS += [
    "mcts:c=inf",
    "mcts:c=nan,iterations=4",
    "mcts:c=-1e308,iterations=4",
    "mcts:top=0,select=puct,iterations=4",
    "mcts:=4",
    "mcts:,,",
]
NO_AGENTS += [
    "mcts:iterations=4,iterations=8",
    "mcts:select=ucb2",
    "mcts:guide=net:",
    "mcts:guide=net:nowhere",
    "mcts:policy=randm",
]
NO_AGENTS += [
    "mcts:policy=mcts:policy=mcts,iterations=2",
    "mcts:workers=0",
    "mcts:workers=99999999",
    "mcts:playouts=0,iterations=4",
]
NO_AGENTS += [
    "mcts:cut=-2,iterations=4",
    "mcts:temperature=0,select=puct,iterations=4",
    "mcts:turns=-1",
    "mcts:refresh=0,select=puct,iterations=4",
]
NO_AGENTS += [
    "net",
    "net:",
    "net:nowhere",
    "net:garbage.txt",
    "net:folder",
    "net:path=garbage.txt,temperature=-1",
    "net:full",
    "net:/dev/null",
]
NO_AGENTS += [
    "exploiter:agent=",
    "exploiter:agent=randm,iterations=4",
    "exploiter:agent=exploiter:agent=random,iterations=4",
    "flat:policy=(",
]
NO_AGENTS += [
    "phases",
    "phases:",
    "phases:turn=random",
    "phases:main=(random",
    "phases:main=[random],x=[]",
    "phases:main=random)",
    "phases:(((",
]
NO_AGENTS += [
    "flat:candidates=-1",
    "expectimax:nodes=-1",
    "expectimax:ms=inf",
    "advanced1",
    "advanced1:k1=0.6",
    "random,random",
    "random random",
]

SOUND: dict[str, list[list[str]]] = {
    "list": [
        [],
        ["agents"],
        ["agents", "tiny"],
        ["games"],
        ["environments"],
        ["spaces"],
        ["tiny"],
        ["sticks"],
        ["games", "--json"],
    ],
    "check": [["GAME", "--games", "1", "--audit", "2", "--envs", "0"]],
    "bench": [["nonsense"], ["search", "nonsense"], ["envs", "nonsense"]],
    "analyze": [
        ["GAME", "--iterations", "8"],
        ["record.txt", "--iterations", "8"],
        ["record.txt", "--ply", "1", "--iterations", "8", "--json"],
    ],
    "replay": [["record.txt"], ["record.txt", "--ply", "1", "--json"], ["--match", "1", "--game", "0", "--store", "store.sqlite"]],
    "simulate": [
        ["GAME", "--games", "3"],
        ["GAME", "--games", "2", "--agents", "AGENT", "--json"],
        ["GAME", "--games", "2", "--save", "x.txt"],
    ],
    "match": [
        ["GAME", "AGENT", "AGENT", "--games", "2", "--processes", "1"],
        ["tiny:pot", "AGENT", "--games", "2", "--processes", "1", "--json"],
        ["tiny:nim", "AGENT", "AGENT", "--games", "4", "--processes", "1", "--store", "store.sqlite"],
        ["sticks:three", "AGENT", "AGENT", "AGENT", "--games", "3", "--processes", "1"],
        ["tiny:guess", "AGENT", "AGENT", "--games", "4", "--processes", "1", "--sprt", "0.4,0.6"],
    ],
    "tournament": [["tiny:nim", "AGENT", "AGENT", "guided", "--games", "2", "--processes", "1"]],
    "ladder": [["GAME", "mcts", "--from", "2", "--rungs", "2", "--games", "4", "--processes", "1"]],
    "results": [[], ["--store", "store.sqlite"], ["--store", "store.sqlite", "--json"]],
    "play": [
        ["GAME", "--opponent", "AGENT"],
        ["GAME", "--opponent", "random", "--seat", "1", "--seed", "3", "--hint", "AGENT"],
        ["--resume"],
        ["save.txt", "--resume"],
        ["tiny:nim", "--save", "x.txt", "--opponent", "random"],
    ],
    # Each is refused for several reasons: a server that started would never end.
    "serve": [["nothing", "--no-open", "--host", "256.0.0.1", "--data", "folder", "--agent", "mcts-clairvoyant"]],
    "tune": [
        [
            "tiny:pot",
            "mcts:iterations=2",
            "--out",
            "x.json",
            "--only",
            "c",
            "--games",
            "2",
            "--generations",
            "1",
            "--processes",
            "1",
        ],
        ["jaipur", "advanced1", "--space", "obrien-5.2", "--set", "k1=0.58", "--games", "4", "--out", "folder", "--processes", "1"],
    ],
    "train": [["tiny:nim", "nonsense", "--out", "run", "--steps", "10"], ["tiny:nim", "ppo", "--out", "folder", "--set", "x=1"]],
    "crown": [["tiny:nim", "nothing", "--games", "4", "--processes", "1"], ["GAME", "folder", "--budget", "ms=x"]],
    "levels": [["tiny:nim", "--games", "8", "--top", "iterations=4", "--processes", "1"], ["GAME", "--games", "3"]],
    "solve": [["GAME", "--agent", "AGENT", "--games", "2", "--processes", "1"]],
    "warm": [["nothing"], ["tiny", "nothing"]],
    "lab": [["list"], ["list", "--quick", "--json"], ["show", "godlewski-3.2"], ["run", "nothing"], ["report"]],
    "study": [["GAME", "--games", "2", "--agents", "AGENT"], ["GAME", "--games", "2", "--json"]],
    "style": [["GAME", "AGENT", "AGENT", "--games", "2", "--positions", "2", "--judge", "mcts:iterations=4", "--processes", "1"]],
    "exploit": [["tiny:nim", "AGENT", "--iterations", "4", "--games", "2", "--processes", "1"]],
}
WEIGHTS: dict[str, float] = {"match": 8, "play": 4, "replay": 4, "analyze": 4, "simulate": 4, "tournament": 3, "check": 2}
WEIGHTS |= {"train": 0.3, "bench": 0.5, "serve": 0.5}
LONG = (
    "check",
    "bench",
    "tune",
    "train",
    "crown",
    "levels",
    "exploit",
    "style",
    "ladder",
    "solve",
    "warm",
    "lab",
    "serve",
)  # where a sound option is never dropped: its default takes minutes
TYPED = [
    "1",
    "2",
    "0",
    "-1",
    "99",
    "take 1",
    "take",
    "tak 2",
    "hint",
    "help",
    "undo",
    "moves",
    "board",
    "resign",
    "y",
    "n",
    "quit",
    "",
    " ",
    "🎲",
    "\udcff",
    "?",
]
TYPED += ["red", "black", "roll", "stop", "save", "x" * 500, "1 2 3", "take 1; take 2", "\x1b[A", "%s", "[red]", "history"]


def draw_arguments(random: Random) -> Case:
    """A verb with one to three things wrong."""
    verbs = sorted(VERBS)
    verb = random.choices(verbs, [WEIGHTS.get(verb, 1) for verb in verbs])[0]
    words = fill(random, random.choice(SOUND[verb]))
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        words = spoil(random, verb, words)
    if verb in ("check", "warm"):  # which take all games where none is named, for minutes
        words = [word or "nothing" for word in words]
    argv = [verb, *words] if random.random() < 0.98 else [some(random, [*TEXTS, verb.upper(), verb[:-1]]), *words]
    return Case("arguments", argv, typed=typing(random), fresh=random.random() < 0.01)


def fill(random: Random, words: list[str]) -> list[str]:
    made = {"GAME": GAMES, "AGENT": AGENTS}
    return [some(random, made[word]) if word in made else word for word in words]


def typing(random: Random) -> str:
    return "".join(f"{some(random, TYPED)}\n" for _ in range(random.randrange(12)))


def spoil(random: Random, verb: str, words: list[str]) -> list[str]:
    """One word is another, too many, missing or elsewhere; or an option more."""
    words = list(words)
    what = random.random()
    if what < 0.45:
        return [*words, *option(random, verb)] if random.random() < 0.8 else [*option(random, verb), *words]
    place = random.randrange(len(words)) if words else 0
    if what < 0.8 or not words or verb in ("bench", "warm"):
        before = words[place - 1] if place else ""
        words[place : place + 1] = [wrong(random, before, words[place] if words else "")]
    elif what < 0.88:
        words.insert(place, some(random, random.choice([TEXTS, PATHS, NO_AGENTS, NUMBERS, NO_GAMES])))
    elif what < 0.94 and verb not in LONG:
        del words[place]
    else:
        other = random.randrange(len(words))
        words[place], words[other] = words[other], words[place]
    return words


def wrong(random: Random, before: str, word: str) -> str:
    """Something else of the same sort, mostly."""
    if random.random() < 0.1:
        return some(random, random.choice([TEXTS, PATHS, NO_AGENTS, NUMBERS, NO_GAMES]))
    if before in ("--store", "--out", "--save", "--plot", "--code") or word.endswith((".txt", ".sqlite", ".json")):
        return some(random, PATHS)
    if before.startswith("--") and before not in ("--agents", "--agent", "--opponent", "--hint", "--sprt", "--only"):
        return some(random, NUMBERS)
    if word.partition(":")[0] in ("tiny", "sticks"):
        return some(random, NO_GAMES)
    return some(random, NO_AGENTS)


def option(random: Random, verb: str) -> list[str]:
    """One that the verb has, with a value that may be wrong; or one that it has not."""
    if random.random() < 0.1:
        return [some(random, ["--nonsense", "-x", "--game", "--seeds", "--json=1", "--=", "--no-json", "--help", "--seed"])]
    param: Any = random.choice([param for param in load(verb).params if param.opts[0].startswith("-")] or [None])
    if param is None:
        return ["--nonsense"]
    if param.is_flag:
        return [some(random, [*param.opts, *param.secondary_opts])]
    return [param.opts[0], value(random, param)]


def value(random: Random, param: Any) -> str:
    name, sort = param.name, str(param.type_descriptor.annotation)
    if "Path" in sort:
        return some(random, PATHS)
    if "int" in sort or "float" in sort:
        return some(random, NUMBERS if name != "processes" else ["-1", "1", "x", "", "1.5", "nan"])
    if name in ("agents", "opponent", "against", "hint", "agent"):
        return some(random, random.choice([AGENTS, NO_AGENTS, TEXTS]))
    return some(random, random.choice([TEXTS, NUMBERS]))
