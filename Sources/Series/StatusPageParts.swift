/// What the page of a list has beyond the styles of all pages.
enum StatusPageParts {
  static let css = """
    header, main { max-width: 44rem; margin: 0 auto; padding: 0 var(--gap); }
    header { padding-top: 1.5rem; }
    main { padding-bottom: 3rem; }
    header p { margin: 0.4rem 0 0; font-size: var(--text-s); }
    h2 { display: flex; align-items: baseline; gap: 0.5rem; margin: 1.75rem 0 0.6rem; font-size: var(--text-m); }
    .count { font-weight: 400; }
    .cards { display: grid; gap: 0.75rem; }
    article { padding: 0.8rem 1rem 0.9rem; min-width: 0; }
    article p { margin: 0.15rem 0 0; overflow-wrap: anywhere; }
    .none { padding: 1rem; list-style-position: inside; }
    .top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0.2rem 0.75rem; }
    .top h3 { min-width: 0; }
    .mono { font-size: var(--text-s); }
    article .now { font-size: var(--text-l); line-height: 1.3; font-weight: 600; margin-top: 0.45rem; }
    .facts, article .soft { font-size: var(--text-s); }
    .lit { border-inline-start: 0.3rem solid var(--tone); padding-inline-start: 0.8rem; }
    .lit.bad { --tone: var(--bad); --wash: var(--bad-wash); } .lit.wait { --tone: var(--wait); --wash: var(--wait-wash); }
    .lit.busy { --tone: var(--accent); --wash: var(--accent-wash); }
    .lit { background: linear-gradient(var(--wash), var(--card) 4.5rem); }
    .lit .state { background: var(--tone); color: var(--card); }
    .lit.bad .now { color: var(--tone); }
    .doubt { color: var(--soft); font-size: var(--text-s); font-weight: 400; }
    .date { display: inline-block; max-width: 100%; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
      vertical-align: bottom; font-variant-numeric: tabular-nums; }
    .warning { background: var(--wait-wash); color: var(--wait); border-radius: var(--round); padding: 0.5rem 0.75rem;
      overflow-wrap: anywhere; }
    .time { margin-top: 0.75rem; }
    .bar { display: flex; gap: 2px; height: 0.5rem; }
    .bar i { flex: 1 1 0; min-width: 4px; background: color-mix(in srgb, var(--accent) 35%, var(--sunk)); }
    .bar i.shade1 { background: color-mix(in srgb, var(--accent) 60%, var(--sunk)); }
    .bar i.shade2 { background: color-mix(in srgb, var(--accent) 18%, var(--soft)); }
    .bar i.last { background: var(--accent); min-width: 8px; }
    .bar i.gap { background: none; border: 1px dashed var(--soft); min-width: 12px; }
    .bar i:first-child { border-start-start-radius: 0.25rem; border-end-start-radius: 0.25rem; }
    .bar i:last-child { border-start-end-radius: 0.25rem; border-end-end-radius: 0.25rem; }
    .ends { display: flex; justify-content: space-between; gap: 1rem; margin-top: 0.15rem; }
    article .ends { font-size: var(--text-xs); }
    details { margin-top: 0.35rem; font-size: var(--text-s); }
    summary { color: var(--accent); cursor: pointer; padding: 0.3rem 0; width: fit-content; }
    ol { list-style: none; margin: 0.35rem 0 0 0.3rem; padding: 0; border-inline-start: 2px solid var(--line); }
    li { overflow-wrap: anywhere; }
    ol li { position: relative; padding: 0 0 0.7rem 1rem; }
    ol li:last-child { padding-bottom: 0; }
    ol li::before { content: ""; position: absolute; left: -0.4rem; top: 0.4rem; width: 0.65rem; height: 0.65rem;
      border-radius: 50%; background: var(--card); border: 2px solid var(--soft); }
    ol li:first-child::before { background: var(--accent); border-color: var(--accent); }
    @media (forced-colors: active) { .bar i { background: CanvasText; } }
    @media print { details::details-content { content-visibility: visible; block-size: auto; } }
    """

  /// Says how fresh the list is when it is looked at: the page may lie open for days.
  static let script = """
    "use strict";
    (() => {
      const fresh = document.getElementById("fresh");
      if (!fresh) return;
      const hour = 60, day = 1440;
      fresh.title = fresh.textContent;
      const show = () => {
        const minutes = Math.max(0, Math.floor((Date.now() - Number(fresh.dataset.checked)) / 60000));
        const [size, unit] = minutes < hour ? [1, "minute"] : minutes < 2 * day ? [hour, "hour"] : [day, "day"];
        const count = Math.floor(minutes / size), age = `${count} ${unit}${count === 1 ? "" : "s"}`;
        const isFresh = minutes < 36 * hour;
        fresh.textContent = minutes < 1 ? "Checked just now" : isFresh ? `Checked ${age} ago` : `Not checked for ${age}`;
        fresh.className = `state ${isFresh ? "good" : minutes < 14 * day ? "wait" : "bad"}`;
      };
      show();
      setInterval(show, 30000);
    })();
    """
}
