// Somebody follows an invitation.

import { el } from "./dom.js";
import { choices, choose, playerKey, remember } from "./mine.js";
import { call } from "./net.js";
import { field } from "./widgets.js";

export function showJoin(page, game, invite) {
  const name = el("input", { id: "join-name", maxlength: "40", value: choices().name ?? "", autocomplete: "nickname" });
  const error = el("p", { class: "error", role: "alert" });
  const join = async (event) => {
    event.preventDefault();
    try {
      choose({ name: name.value.trim() });
      const opened = await call(`/games/${game}/join`, { invite, name: name.value.trim(), player: playerKey() });
      remember({ ...opened, title: "Game by invitation", at: Date.now() });
      location.replace(`#/game/${game}/${opened.token}`);
    } catch (refused) {
      error.textContent = refused.message;
    }
  };
  page.append(el("h1", {}, "You are invited to a game"), el("form", { class: "panel setup", onsubmit: join }, field("Your name", name), error, el("button", { type: "submit", class: "primary" }, "Sit down")));
}
