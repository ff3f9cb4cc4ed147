"""The JSON API against a real server: what it does, and what it refuses without anything changing."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from meeple.arena.match import play_match
from meeple.arena.plan import make_plan
from meeple.arena.store import Store
from meeple.core.record import parse_record
from meeple.core.registry import find_variant
from tests.cli.commands import call
from tests.serve.server import Seat, Server

pytestmark = pytest.mark.xdist_group("page")
EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "jaipur_round.txt"


def first(moves: list[dict[str, Any]]) -> dict[str, Any]:
    return moves[0]


@pytest.fixture
def seat(server: Server) -> Seat:
    """At a table of Pig against an agent that rolls and holds at random."""
    return server.begin("pig", "short", "person", "random")


def refused(answer: httpx.Response, status: int, *words: str) -> None:
    assert answer.status_code == status, answer.text
    for word in words:
        assert word in answer.json()["detail"]


def test_a_game_is_played_and_its_record_replays(server: Server) -> None:
    seat = server.begin("rake", "simple", "person")
    last = seat.play(lambda moves: moves[-1])
    text = seat.get("/record").text
    record = parse_record(text)
    *_, state = record.states()
    assert state.over and state.scores() == last["result"]["scores"]


def test_the_seed_is_a_secret_until_the_end(seat: Seat) -> None:
    refused(seat.get("/record"), 409, "when it is over")
    refused(seat.get("/replay"), 409, "when it is over")
    refused(seat.post("/review"), 409, "when it is over")
    assert "seed" not in str(seat.look())


def test_a_move_for_an_older_table_is_refused(seat: Seat) -> None:
    before = seat.my_turn()
    refused(seat.post("/move", version=before["version"] + 5, action=0), 409, "has changed")
    assert seat.look() == {key: value for key, value in before.items() if key != "type"}


def test_illegal_and_unreadable_moves_are_refused_and_change_nothing(seat: Seat) -> None:
    before = seat.look()
    version = before["version"]
    refused(seat.post("/move", version=version, action=1), 422, "not legal")
    refused(seat.post("/move", version=version, text="rol"), 422, "did you mean 'roll'")
    refused(seat.post("/move", version=version), 422, "by its number")
    refused(seat.post("/move", version=version, action=0, text="roll"), 422, "by one of them")
    refused(seat.post("/move", version=version, action="0"), 422)
    assert seat.look() == before


def test_a_typed_move_is_made(seat: Seat) -> None:
    version = seat.look()["version"]
    assert seat.post("/move", version=version, text="Roll").status_code == 200


def test_no_token_and_a_wrong_token_open_nothing(server: Server, seat: Seat) -> None:
    for token in ("", "x" * 32, seat.opened["watch"][:-1] + "!"):
        refused(server.get(seat.path(), token), 404)
    refused(server.get("/games/0123456789abcdef", seat.token), 404)
    refused(server.get("/games/none", seat.token), 422)


def test_who_looks_on_sees_a_game_of_people_only_when_it_is_over(server: Server, seat: Seat) -> None:
    refused(server.get(seat.path(), seat.opened["watch"]), 403, "when it is over")
    refused(server.post(seat.path("/move"), {"version": 0, "action": 0}, seat.opened["watch"]), 403, "cannot act")
    seat.play(first)
    assert server.get(seat.path(), seat.opened["watch"]).json()["over"]
    assert server.get(seat.path("/replay?ply=1"), seat.opened["watch"]).json()["ply"] == 1


def test_an_invitation_is_good_for_one_person(server: Server) -> None:
    host = server.begin("pig", "short", "person", "open", coach=False)
    invite = host.opened["invites"][0]["token"]
    refused(server.get(host.path(), invite), 404)
    refused(host.post("/move", version=0, action=0), 409, "still empty")
    joined = server.post(host.path("/join"), {"invite": invite, "name": " Ann\u0000 \n"})
    assert joined.status_code == 201
    assert host.look()["names"] == ["Player 1", "Ann"]
    refused(server.post(host.path("/join"), {"invite": invite}), 404, "used it already")


def test_people_agree_on_a_takeback_and_it_is_marked(server: Server) -> None:
    host = server.begin("pig", "short", "person", "open", coach=False)
    guest = Seat(server, server.post(host.path("/join"), {"invite": host.opened["invites"][0]["token"]}).json())
    while (seen := host.look())["to_move"] == 0:
        host.post("/move", version=seen["version"], action=0)
    asked = host.post("/takeback", version=seen["version"]).json()["version"]
    refused(host.post("/takeback/answer", version=asked, agree=True), 409, "Nobody has asked you")
    declined = guest.post("/takeback/answer", version=asked, agree=False).json()["version"]
    assert guest.look()["ply"] == seen["ply"]
    asked = host.post("/takeback", version=declined).json()["version"]
    guest.post("/takeback/answer", version=asked, agree=True)
    after = guest.look()
    assert (after["ply"], after["takebacks"], after["to_move"]) == (seen["ply"] - 1, 1, 0)
    refused(host.post("/hint", version=after["version"]), 403, "without a coach")


def test_a_takeback_asked_for_before_giving_up_cannot_be_granted_after_it(server: Server) -> None:
    host = server.begin("pig", "short", "person", "open", coach=False)
    guest = Seat(server, server.post(host.path("/join"), {"invite": host.opened["invites"][0]["token"]}).json())
    host.post("/move", version=host.look()["version"], action=0)
    asked = host.post("/takeback", version=host.look()["version"]).json()["version"]
    over = guest.post("/resign", version=asked).json()["version"]
    refused(guest.post("/takeback/answer", version=over, agree=True), 409, "over")
    assert guest.look()["ply"] == 1 and guest.look()["takeback"] is None


def test_against_agents_a_takeback_is_granted_at_once(seat: Seat) -> None:
    seen = seat.my_turn()
    refused(seat.post("/takeback", version=seen["version"]), 409, "not moved yet")
    seat.move(seen, 0)
    seen = seat.my_turn()
    assert seat.post("/takeback", version=seen["version"]).status_code == 200
    after = seat.look()
    assert (after["ply"], after["takebacks"]) == (0, 1)
    seat.next(lambda message: message["version"] >= after["version"])
    seat.play(first)
    assert "# takeback by seat 0" in seat.get("/record").text


def test_giving_up_ends_a_game(seat: Seat) -> None:
    seat.post("/resign", version=seat.look()["version"])
    after = seat.look()
    assert after["over"] and after["result"]["resigned"] == 0
    refused(seat.post("/move", version=after["version"], action=0), 409, "over")
    assert "# seat 0 resigned" in seat.get("/record").text


def test_agents_among_themselves_move_when_told_to(server: Server) -> None:
    watched = server.begin("pig", "short", "random", "random")
    seen = watched.look()
    assert seen["kind"] == "watch" and not seen["moves"]
    while not (seen := watched.look())["over"]:
        assert watched.post("/step", version=seen["version"]).status_code == 200
    refused(watched.post("/move", version=seen["version"], action=0), 403, "cannot act")


def test_a_hint_tells_the_best_moves_and_is_counted(seat: Seat) -> None:
    seat.move(seat.my_turn(), 0)
    while (seen := seat.my_turn())["ply"] and len(seen["moves"]) < 2 and not seen["over"]:
        seat.move(seen, 0)
    told = seat.post("/hint", version=seen["version"])
    assert told.status_code == 200, told.text
    assert {move["move"] for move in told.json()["moves"]} == {"roll", "hold"}
    assert told.json()["reason"] and seat.look()["hints"] == 1


def test_the_coach_tells_how_it_stands_and_what_a_move_cost(seat: Seat) -> None:
    assert seat.post("/coach", bar=True, cost=True).status_code == 200
    seat.move(seat.my_turn(), 0)
    seen = seat.next(lambda message: message["over"] or (message["moves"] and message["coach"]["bar"]))
    seat.move(seen, seen["moves"][-1]["action"])
    told = seat.next(lambda message: message["over"] or message["coach"]["cost"])
    assert told["over"] or told["coach"]["cost"]["loss"] >= 0
    assert told["over"] or 0 <= told["coach"]["bar"]["value"] <= 1


def test_a_record_is_read_replayed_and_reviewed(server: Server) -> None:
    opened = server.post("/records", {"text": EXAMPLE.read_text()})
    assert opened.status_code == 201, opened.text
    seat = Seat(server, opened.json())
    end = seat.get("/replay?ply=0").json()["plies"]
    shown = seat.get(f"/replay?ply={end}").json()
    assert shown["over"] and len(shown["scenes"]) == 2 and len(shown["log"]) == end
    refused(seat.get(f"/replay?ply={end + 1}"), 422, f"{end} moves")
    refused(seat.get("/replay?seat=2"), 422, "seats 0 to 1")


@pytest.mark.parametrize(
    "text",
    ["", "hello", "meeple record 1\ngame: /tmp\nrules: 1\nseed: 1", "meeple record 1\ngame: ./pig\nrules: 1\nseed: 1\n",
     "meeple record 1\ngame: jaipur\ngame: /tmp\nrules: 1\nseed: 1", "meeple record 1\ngame: jaipur:round\nrules: 1\nseed: 1"],
)  # fmt: skip
def test_what_is_no_record_is_refused(server: Server, text: str) -> None:
    refused(server.post("/records", {"text": text}), 422)


@pytest.mark.parametrize("game", ["./pig", "/tmp", "../games/jaipur", "jaipur:round", ""])
def test_a_game_is_a_name_and_never_a_path(server: Server, game: str) -> None:
    refused(server.post("/games", {"game": game, "seats": [{"kind": "person"}]}), 422, "Unknown game")


@pytest.mark.parametrize("level", ["mcts-clairvoyant", "mcts:ms=100000", "net:/etc/passwd", "flat", ""])
def test_only_agents_of_the_list_can_be_asked_for(server: Server, level: str) -> None:
    body = {"game": "jaipur", "variant": "round", "seats": [{"kind": "person"}, {"kind": "agent", "level": level}]}
    refused(server.post("/games", body), 422, "Unknown opponent")


def test_any_game_of_the_arena_can_be_replayed(server: Server) -> None:
    path = server.data.parent / "results.sqlite"
    assert server.get("/results").json() == {"matches": []}
    plan = make_plan(find_variant("jaipur:round"), ["random", "random"], 2, 7)
    play_match(plan, Store(path))
    (match,) = server.get("/results").json()["matches"]
    opened = server.post(f"/results/{match['id']}/1")
    assert opened.status_code == 201, opened.text
    assert Seat(server, opened.json()).get("/replay").json()["plies"] > 0
    refused(server.post(f"/results/{match['id']}/2"), 404, "no game 2")
    refused(server.post("/results/99/0"), 404, "no match 99")


def test_a_position_is_set_up_and_an_impossible_one_refused_with_the_reason(server: Server) -> None:
    which = {"game": "pig", "variant": "short"}
    fields = {field["name"]: field["value"] for field in server.post("/positions", which).json()["fields"]}
    assert fields == {"turn": 0, "seat": 0, "goal": 20, "pot": 0, "total": [0, 0]}
    good, bad = {"total": [19, 18]}, {"total": [19, -2]}
    assert server.post("/positions/check", {**which, "fields": good}).json() == {"possible": True, "reason": ""}
    assert not server.post("/positions/check", {**which, "fields": bad}).json()["possible"]
    seats = [{"kind": "person"}, {"kind": "agent", "level": "random"}]
    refused(server.post("/games", {**which, "seats": seats, "position": bad}), 422, "not possible")
    for fields in ({"total": [1]}, {"total": [1.5, 2]}, {"total": "x"}, {"total": [2**70, 0]}, {"luck": [1]}, {"nothing": 1}):
        refused(server.post("/games", {**which, "seats": seats, "position": fields}), 422)
    begun = Seat(server, server.post("/games", {**which, "seats": seats, "position": good}).json())
    assert "19" in str(begun.look()["scene"])
    begun.play(lambda moves: moves[-1])
    refused(begun.get("/record"), 409, "share its link")


def test_nonsense_that_would_be_dealt_again_for_ever_is_refused_and_the_server_answers_on(server: Server) -> None:
    jaipur = {"game": "jaipur", "variant": "round"}
    dealt = {field["name"]: field["value"] for field in server.post("/positions", jaipur).json()["fields"]}
    assert not {"match", "action_set", "rules_2017", "luck", "ply", "end"} & set(dealt)
    seats = [{"kind": "person"}, {"kind": "agent", "level": "random"}]
    deck = [card for card in dealt["deck"] if card >= 0]
    deck += [good for good in range(6) for _ in range(dealt["hand"][1][good])]
    chosen = {
        "seat": 1,
        "chosen": 2,
        "hand": [dealt["hand"][0], [0] * 6],
        "deck_left": len(deck),
        "deck": deck + [-1] * (52 - len(deck)),
    }
    fields = {"market": dealt["market"], "herd": dealt["herd"], **chosen}
    refused(server.post("/games", {**jaipur, "seats": seats, "position": fields}), 422, "not possible", "two-step")
    refused(
        server.post("/positions/check", {"game": "rake", "variant": "official", "fields": {"seats": 3}}), 422, "no field 'seats'"
    )
    assert server.get("/menu").status_code == 200


def test_one_can_play_on_from_a_replay(server: Server, seat: Seat) -> None:
    seat.play(first)
    body = {"game": "pig", "variant": "short", "seats": [{"kind": "person"}, {"kind": "agent", "level": "random"}]}
    answer = server.post("/games", {**body, "branch": {"game": seat.game, "ply": 1}}, seat.token)
    assert answer.status_code == 201, answer.text
    refused(server.post("/games", {**body, "branch": {"game": seat.game, "ply": 10**6}}, seat.token), 422, "over already")
    refused(server.post("/games", {**body, "branch": {"game": seat.game, "ply": 1}}), 404)
    running = Seat(server, answer.json())
    refused(server.post("/games", {**body, "branch": {"game": running.game, "ply": 0}}, running.token), 403, "still being played")


def test_a_players_games_are_counted(server: Server) -> None:
    player = "p" * 32
    seat = server.begin("pig", "short", "person", "random", player=player)
    seat.play(first)
    told = server.post("/player", {"player": player}).json()
    assert [game["over"] for game in told["games"]] == [True]
    assert told["sums"][0]["games"] == 1 and told["sums"][0]["against"] == "random"
    assert server.post("/player", {"player": "q" * 32}).json() == {"games": [], "sums": []}


# ---- The guard -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil:80"])
def test_other_hosts_are_not_answered(server: Server, host: str) -> None:
    refused(httpx.get(f"{server.address}/api/menu", headers={"Host": host}), 403, "does not go by that name")


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://["])
def test_other_origins_are_not_answered(server: Server, origin: str) -> None:
    refused(httpx.post(f"{server.address}/api/variants", json={}, headers={"Origin": origin}), 403, "other sites")
    with (
        pytest.raises(InvalidStatus, match="403"),
        connect(f"{server.address.replace('http', 'ws')}/api/games/0123456789abcdef/push", additional_headers={"Origin": origin}),
    ):
        pass


def test_every_answer_keeps_the_page_to_itself(server: Server) -> None:
    for path in ("/", "/api/menu", "/static/app.js", "/nothing", "/api/rules/none"):
        headers = httpx.get(f"{server.address}{path}").headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers and "set-cookie" not in headers


def test_bodies_that_are_too_large_or_no_json_are_refused(server: Server) -> None:
    for content, status in (
        (b"x" * 600_000, 413),
        (b"[" * 100_000, 422),
        (b'"\\ud800"', 422),
        (b'{"a": NaN}', 422),
        (b"\xff", 422),
    ):
        answer = httpx.post(f"{server.address}/api/variants", content=content, headers={"Content-Type": "application/json"})
        refused(answer, status)


@pytest.mark.parametrize("said", ['{"token": "x"}', f'{{"token": "{"y" * 32}"}}', "[]", "[" * 3000, '{"token": 1}', "", b"x"])
def test_a_socket_without_a_token_is_closed(server: Server, seat: Seat, said: str | bytes) -> None:
    with connect(f"{server.address.replace('http', 'ws')}/api/games/{seat.game}/push") as socket:
        socket.send(said)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv(20)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404


def test_a_killed_server_loses_nothing(own_server: Server) -> None:
    seat = own_server.begin("rake", "simple", "person")
    for _ in range(3):
        seat.move(message := seat.my_turn(), message["moves"][0]["action"])
    before = seat.look()
    own_server.kill()
    own_server.start()
    assert seat.look() == before
    Seat(own_server, seat.opened).play(first)


def test_ctrl_c_ends_the_server_in_one_sentence(own_server: Server) -> None:
    own_server.process.send_signal(signal.SIGINT)
    assert own_server.process.stdout is not None
    assert own_server.process.stdout.read() == "Ended; every game is kept and goes on when the server is started again.\n"
    assert own_server.process.wait(30) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--agent", "mcts-clairvoyant"], "sees hidden cards"),
        (["--agent", "mcts:ms=9000"], "at most 2000 are allowed"),
        (["--agent", "mcts:iterations=1000000"], "more than 20,000 iterations"),
        (["--agent", "nobody"], "plays no game that is here"),
        (["--host", "256.0.0.1"], "cannot be listened on"),
        (["--data", "/dev/null/x"], "cannot be written"),
        (["no_such_folder"], "Unknown game"),
    ],
)
def test_wrong_settings_are_refused_in_one_sentence(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = arguments if "--data" in arguments else [*arguments, "--data", str(tmp_path / "games.sqlite")]
    done = call(capsys, "serve", "--no-open", "--port", "0", *given)
    assert done.code == 2 and words in " ".join(done.err.split())


def test_tokens_are_kept_only_as_digests_and_the_file_is_private(server: Server, seat: Seat) -> None:
    held = server.data.read_bytes() + server.data.with_name(server.data.name + "-wal").read_bytes()
    assert seat.game.encode() in held
    assert seat.token.encode() not in held and seat.opened["watch"].encode() not in held
    assert server.data.stat().st_mode & 0o077 == 0
