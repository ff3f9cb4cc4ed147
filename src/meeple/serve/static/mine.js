// What this browser remembers: a key for statistics, the links to one's games, and what one chose last.

const GAMES = "meeple.games";
const PLAYER = "meeple.player";
const CHOICES = "meeple.choices";
const MOST_GAMES = 60;

function read(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? fallback;
  } catch {
    return fallback;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A private window: the link in the address still opens the game.
  }
}

export function playerKey() {
  const known = read(PLAYER, "");
  if (/^[\w-]{32}$/.test(known)) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  const key = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
  write(PLAYER, key);
  return key;
}

export const myGames = () => read(GAMES, []);

export function remember(game) {
  const others = myGames().filter((other) => other.game !== game.game);
  write(GAMES, [game, ...others].slice(0, MOST_GAMES));
}

export const choices = () => read(CHOICES, {});

export function choose(changed) {
  write(CHOICES, { ...choices(), ...changed });
}
