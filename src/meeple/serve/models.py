"""What requests and answers look like; the OpenAPI description at /api/openapi.json is made from it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST_TEXT = 200
MOST_RECORD = 200_000
MOST = 2**31 - 1

Version = Annotated[int, Field(ge=0, le=MOST, description="of the table that the request was made for")]
Word = Annotated[str, Field(max_length=60)]
Token = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{32}$")]
Player = Annotated[
    str, Field(pattern=r"^([A-Za-z0-9_-]{32})?$", description="a key that the page made up, for statistics; may be empty")
]


class Body(BaseModel):
    """Nothing else may stand in a request, and numbers are numbers."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Refusal(BaseModel):
    """Why nothing was done."""

    detail: str


class Which(Body):
    """A variant by its words."""

    game: Word
    variant: Word = ""
    options: Annotated[dict[Word, Word], Field(max_length=16)] = {}


class Prepare(Which):
    level: Word = Field(default="", description="an opponent whose code should be compiled ahead")


class SeatWish(Body):
    kind: Literal["person", "agent", "open"]
    level: Word = ""
    name: Annotated[str, Field(max_length=MOST_TEXT)] = ""


class Branch(Body):
    """Begin where another game stood after so many moves; its token comes as the bearer."""

    game: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    ply: Annotated[int, Field(ge=0, le=MOST)]


class Begin(Which):
    seats: Annotated[list[SeatWish], Field(min_length=1, max_length=6)]
    coach: bool = True
    player: Player = ""
    position: Annotated[dict[Word, Any], Field(max_length=64)] | None = None
    branch: Branch | None = None


class Draft(Which):
    fields: Annotated[dict[Word, Any], Field(max_length=64)] = {}


class Join(Body):
    invite: Token
    name: Annotated[str, Field(max_length=MOST_TEXT)] = ""
    player: Player = ""


class Move(Body):
    """By its number, or by its words as they stand in the list."""

    version: Version
    action: Annotated[int, Field(ge=0, le=MOST)] | None = None
    text: Annotated[str, Field(max_length=MOST_TEXT)] | None = None


class At(Body):
    version: Version


class Answer(Body):
    version: Version
    agree: bool


class CoachWish(Body):
    bar: bool
    cost: bool


class RecordText(Body):
    text: Annotated[str, Field(max_length=MOST_RECORD)]


class Who(Body):
    player: Token


class Invite(BaseModel):
    seat: int
    token: str


class Opened(BaseModel):
    """A table and the keys to it. They are told once."""

    game: str
    kind: str
    seat: int
    token: str
    invites: list[Invite]
    watch: str


class Done(BaseModel):
    """It has happened; the WebSocket tells what the table looks like now."""

    version: int
