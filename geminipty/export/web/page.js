"use strict";
(() => {
  const text = document.getElementById("recording").textContent.trim();
  const buttons = [...document.querySelectorAll("#story button[data-time]")];
  const times = buttons.map((button) => Number(button.dataset.time));
  const player = AsciinemaPlayer.create({ data: text }, document.getElementById("player"), {
    fit: matchMedia("(max-width: 900px)").matches ? "width" : "both",
    controls: true,
    preload: true,
    theme: "auto/asciinema",
    poster: `npt:${times.length ? times[times.length - 1] + 0.001 : 0}`,
    terminalFontFamily: "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace",
  });
  let current = null;
  const show = (button) => {
    if (button === current) return;
    if (current) current.removeAttribute("aria-current");
    current = button;
    if (!button) return;
    button.setAttribute("aria-current", "true");
    const list = document.getElementById("story");
    const box = list.getBoundingClientRect();
    const own = button.getBoundingClientRect();
    if (list.scrollHeight > list.clientHeight && (own.top < box.top || own.bottom > box.bottom)) {
      list.scrollTop += own.top - box.top - box.height / 3;
    }
  };
  const follow = () => {
    const now = player.getCurrentTime() + 0.01;
    let last = null;
    times.forEach((time, index) => {
      if (time <= now) last = buttons[index];
    });
    // Several moments may share a time: the one that was chosen stays.
    if (!(current && last && current.dataset.time === last.dataset.time)) show(last);
  };
  let timer = 0;
  player.addEventListener("playing", () => {
    clearInterval(timer);
    timer = setInterval(follow, 100);
  });
  for (const name of ["pause", "ended"]) {
    player.addEventListener(name, () => clearInterval(timer));
  }
  buttons.forEach((button, index) => {
    button.addEventListener("click", async () => {
      // The picture is what was asked for: the large sign to start would lie over it.
      document.body.classList.add("chosen");
      await player.seek(times[index] + 0.001);
      show(button);
    });
  });
  // Up and down walk through the list.
  document.getElementById("story").addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const index = buttons.indexOf(document.activeElement);
    if (!step || index < 0) return;
    event.preventDefault();
    const next = buttons[index + step];
    if (next) next.focus();
  });
})();
