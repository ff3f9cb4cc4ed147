// Talking to the server: commands by POST, and a socket that only listens.

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export async function call(path, body = undefined, token = "") {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(`/api${path}`, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refused(0, "The server does not answer; it may have been stopped.");
  }
  const isText = answer.headers.get("content-type")?.startsWith("text/plain");
  const told = isText ? await answer.text() : await answer.json().catch(() => ({ detail: "The server's answer cannot be read." }));
  if (!answer.ok) throw new Refused(answer.status, told.detail ?? "The server refused that.");
  return told;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 4000;
const GONE = 4404; // the server's code for "not for you"; trying again would not help

// Listens to a table, and comes back by itself when the connection is lost. Returns a function that ends it.
export function listen(game, token, on) {
  let socket = null;
  let ended = false;
  let wait = FIRST_WAIT;
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/api/games/${game}/push`);
    socket.onopen = () => socket.send(JSON.stringify({ token }));
    socket.onmessage = (event) => {
      wait = FIRST_WAIT;
      const message = JSON.parse(event.data);
      on[message.type]?.(message);
    };
    socket.onclose = (event) => {
      if (ended) return;
      if (event.code === GONE) {
        on.refused?.(event.reason);
        return;
      }
      on.lost?.();
      setTimeout(() => !ended && open(), wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    };
  };
  open();
  return () => {
    ended = true;
    socket?.close();
  };
}
