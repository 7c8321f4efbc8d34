// The round marks of channels: the picture that stands in the guide, else initials on a color of their own.
const Channels = (() => {
  const segments = "Segmenter" in Intl ? new Intl.Segmenter() : null;
  /** Letters as people see them, with the marks that belong to them. */
  const letters = (word) => (segments ? [...segments.segment(word)].map(({ segment }) => segment) : [...word]);

  function initials(name) {
    const all = name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    const told = all.filter((word) => !/^(u?hd|sd|4k)$/i.test(word)), words = told.length ? told : all;
    if (!words.length) return "?";
    const [first, second] = words;
    // Names that are letters already, as of many channels, stay whole.
    if (!second) return /^\p{Lu}{2,3}$/u.test(first) ? first : letters(first).slice(0, 2).join("").toLocaleUpperCase();
    const rest = /^\d/.test(second) ? second.slice(0, 2) : letters(second)[0];
    return (letters(first)[0] + rest).toLocaleUpperCase();
  }

  /** A turn of the color wheel that is the same for the same name. */
  function turn(name) {
    let sum = 7;
    for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 36037;
    return (sum % 24) * 15;
  }

  function mark(index) {
    const name = Guide.names[index], made = document.createElement("span");
    made.className = "logo";
    made.setAttribute("aria-hidden", "true");
    made.style.setProperty("--turn", turn(name));
    const picture = Guide.icons?.[index];
    if (!picture) {
      made.textContent = initials(name);
      return made;
    }
    const image = document.createElement("img");
    image.alt = "";
    image.addEventListener("error", () => {
      made.classList.remove("picture");
      made.textContent = initials(name);
    });
    image.src = picture;
    made.classList.add("picture");
    made.append(image);
    return made;
  }
  return { mark, initials };
})();
