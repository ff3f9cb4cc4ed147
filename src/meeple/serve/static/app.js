// Which page is shown: the part of the address behind # says so. Tokens stand there too, so they never reach the server in an address.

import { el } from "./dom.js";
import { showGame } from "./game.js";
import { showJoin } from "./join.js";
import { showLobby } from "./lobby.js";
import { showPosition } from "./position.js";
import { showRecords } from "./records.js";
import { showReplay } from "./replay.js";
import { showReview } from "./review.js";
import { showMe } from "./me.js";

const PAGES = {
  "": showLobby,
  game: showGame, // #/game/ID/TOKEN
  join: showJoin, // #/join/ID/INVITATION
  review: showReview,
  replay: showReplay,
  records: showRecords,
  position: showPosition, // #/position/GAME/VARIANT
  me: showMe,
};

let leave = null;

async function show() {
  const [name, ...words] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const page = document.getElementById("page");
  leave?.();
  leave = null;
  page.replaceChildren();
  page.className = `page page-${name || "lobby"}`;
  document.title = "Meeple";
  const shown = PAGES[name];
  if (!shown) {
    page.append(el("h1", {}, "There is no such page"), el("p", {}, el("a", { href: "#/" }, "Back to the games")));
    return;
  }
  const here = location.hash;
  try {
    const left = (await shown(page, ...words)) ?? null;
    if (location.hash === here) leave = left;
    else left?.();
  } catch (error) {
    page.append(el("p", { class: "error", role: "alert" }, error.message), el("p", {}, el("a", { href: "#/" }, "Back to the games")));
  }
}

addEventListener("hashchange", show);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address behind # is the page's own
  document.getElementById("page").focus();
});
show();
