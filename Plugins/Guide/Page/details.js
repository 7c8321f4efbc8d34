// What is known of one programme, in a window of its own.
const Details = (() => {
  const dialog = document.getElementById("details");
  const place = document.getElementById("details-text");
  let opener = null;
  const marks = [[1, "new"], [2, "premiere"], [4, "repeat"], [8, "last chance"], [16, "end not known"]];

  // Only text is set, never markup: what stands in a guide comes from strangers.
  const add = (tag, text, name) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (name) made.className = name;
    place.append(made);
    return made;
  };
  const list = (values) => (Array.isArray(values) ? values : []);

  function episode({ system, number }) {
    if (system !== "xmltv_ns") return number;
    const [season, part] = number.split(".").map((text) => parseInt(text, 10) + 1);
    return [season > 0 ? `season ${season}` : "", part > 0 ? `episode ${part}` : ""].filter(Boolean).join(", ");
  }

  function link(address) {
    // Others than these could run something.
    if (!/^https?:\/\//i.test(address)) return;
    const made = document.createElement("a");
    made.href = address;
    made.textContent = address;
    made.rel = "noopener noreferrer";
    made.target = "_blank";
    add("p", "").append(made);
  }

  /** A link to a calendar with this programme (RFC 5545). */
  function calendar(rowIndex, index, about) {
    const row = Guide.rows[rowIndex], work = row.works[index];
    const escaped = (text) => text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, "").replace(/[\\;,]/g, "\\$&")
      .replace(/\n/g, "\\n");
    const time = (minutes) => new Date(minutes * 60000).toISOString().replace(/[-:]|\.\d+/g, "");
    const text = [Guide.subtitle(work), about].filter(Boolean).join("\n");
    const lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//procd//guide//EN", "BEGIN:VEVENT",
      `UID:${row.starts[index]}-${rowIndex}@guide.procd`, `DTSTAMP:${time(Math.floor(Date.now() / 60000))}`,
      `DTSTART:${time(row.starts[index])}`, `DTEND:${time(row.stops[index])}`,
      `SUMMARY:${escaped(`${Guide.title(work)} (${Guide.names[rowIndex]})`)}`, `LOCATION:${escaped(Guide.names[rowIndex])}`,
      ...(text ? [`DESCRIPTION:${escaped(text)}`] : []), "END:VEVENT", "END:VCALENDAR", "",
    ];
    // Lines have at most 75 bytes, and 18 letters never more than 72 (3.1).
    const folded = lines.map((line) => line.match(/.{1,18}/gu)?.join("\r\n ") ?? "");
    const made = document.createElement("a");
    made.href = `data:text/calendar;charset=utf-8,${encodeURIComponent(folded.join("\r\n"))}`;
    made.download = `${Guide.title(work).replace(/[^\p{L}\p{N} -]/gu, "").slice(0, 60) || "programme"}.ics`;
    made.textContent = "Into the calendar";
    return made;
  }

  async function open(rowIndex, index, from) {
    const row = Guide.rows[rowIndex], work = row.works[index];
    opener = from;
    dialog.className = `k${Guide.genre(work)}`;
    place.textContent = "";
    const close = add("button", "Close", "close");
    close.type = "button";
    close.addEventListener("click", () => dialog.close());
    add("h2", Guide.title(work)).id = "details-title";
    if (Guide.subtitle(work)) add("p", Guide.subtitle(work));
    add("p", `${Guide.names[rowIndex]} · ${Guide.longDay(row.starts[index])}, ${Guide.clock(row.starts[index])}–`
      + `${Guide.clock(row.stops[index])} · ${row.stops[index] - row.starts[index]} min`, "soft");
    if (!dialog.open) dialog.showModal();
    const { about, details } = await Guide.details(work);
    const kinds = [
      ...list(details.categories), ...marks.filter(([bit]) => row.marks[index] & bit).map(([, word]) => word),
      ...list(details.countries), details.date ? details.date.slice(0, 4) : "",
      ...list(details.episodes).map(episode),
    ].filter(Boolean);
    if (kinds.length) add("p", kinds.join(" · "), "soft");
    if (about) add("p", about);
    const credits = list(details.credits);
    if (credits.length) {
      add("h3", "With");
      const names = add("ul", "");
      for (const { job, name, part } of credits) {
        const item = document.createElement("li");
        item.textContent = `${name}${part ? " as " + part : ""} (${job})`;
        names.append(item);
      }
    }
    for (const { system, value } of [...list(details.ratings), ...list(details.stars)])
      add("p", `Rating: ${value}${system ? " (" + system + ")" : ""}`, "soft");
    list(details.links).forEach(link);
    add("p", "").append(calendar(rowIndex, index, about));
    again(work, rowIndex, index);
  }

  /** When else it runs. */
  function again(work, rowIndex, index) {
    const found = [];
    for (let other = 0; other < Guide.rows.length && found.length < 8; other++) {
      const works = Guide.rows[other].works;
      for (let at = works.indexOf(work); at >= 0 && found.length < 8; at = works.indexOf(work, at + 1))
        if (other !== rowIndex || at !== index) found.push([other, at]);
    }
    if (!found.length) return;
    found.sort(([a, i], [b, j]) => Guide.rows[a].starts[i] - Guide.rows[b].starts[j]);
    add("h3", "Also at");
    const times = add("ul", "");
    for (const [other, at] of found) {
      const item = document.createElement("li"), start = Guide.rows[other].starts[at];
      item.textContent = `${Guide.day(start)}, ${Guide.clock(start)}, ${Guide.names[other]}`;
      times.append(item);
    }
  }

  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => { if (opener?.isConnected) opener.focus({ preventScroll: true }); });
  return { open };
})();
