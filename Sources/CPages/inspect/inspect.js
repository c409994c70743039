// The page of `looptrail inspect`: it reads the lines inside it once into columns, and shows them.
(() => {
const began = performance.now();
const EVERY = 64, ROW = 26, TREE_ROW = 22, TREE_ROWS = 20_000, LISTED = 50, FOUND = 1000;
const UNKNOWN = Symbol("unknown");
const own = Object.hasOwn;

// ---- Values. Keys such as `__proto__` are keys.

function put(object, key, value) {
  if (key === "__proto__") Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
const isContainer = value => typeof value === "object" && value !== null;
const get = (value, key) => isContainer(value) && own(value, key) ? value[key] : undefined;
const keysOf = path => path === "" ? [] : path.slice(1).split("/").map(key => key.replace(/~1/g, "/").replace(/~0/g, "~"));
const escapeKey = key => String(key).replace(/~/g, "~0").replace(/\//g, "~1");
const at = (value, path) => keysOf(path).reduce(get, value);
const short = (value, most = 160) => {
  const text = value === undefined ? "—" : Object.is(value, -0) ? "-0" : JSON.stringify(value);
  return text.length > most ? text.slice(0, most) + "…" : text;
};

// A whole number beyond 2^53 is a BigInt, in `window.looptrail`, too, and JSON has its digits. A browser without JSON.rawJSON does not tell
// how a number was spelt: it rounds them, and the page says so.
const LONG = /[[:,]\s*-?(?:9|\d\d)\d{15,}\s*[,\]}]/;
let hasLong = false;
const exact = (key, value, context) => Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context.source)
  ? BigInt(context.source) : value;
if (JSON.rawJSON) BigInt.prototype.toJSON = function () { return JSON.rawJSON(String(this)); };
function lineOf(raw) {
  const line = JSON.parse(raw);
  if (!hasLong || !JSON.rawJSON || !LONG.test(raw)) return line;
  const whole = JSON.parse(raw, exact);
  for (const key of ["state", "event", "patch", "props"]) if (own(whole, key)) line[key] = whole[key];
  return line;
}
/** Spells a number so that it reads back as it was recorded: minus zero and doubles from 2^63 on do not become whole numbers. */
const spelt = (key, value) => !JSON.rawJSON || typeof value !== "number" || !Object.is(value, -0) && value < 2 ** 63 ? value
  : JSON.rawJSON(value === 0 ? "-0.0" : value.toExponential());
const isNumber = value => typeof value === "number" || typeof value === "bigint";

/** `/cart/items/2/qty` as `cart.items[2].qty`. */
function dotted(path) {
  return keysOf(path).reduce((text, key) => /^\d+$/.test(key) ? `${text}[${key}]` : text ? `${text}.${key}` : key, "") || "(all)";
}
const pointer = text => text === "" || text.startsWith("/") ? text
  : "/" + text.replace(/\[(\d+)\]/g, ".$1").split(".").filter(key => key !== "").map(escapeKey).join("/");

/** A copy of what stands above the path, with one operation done; what is equal is shared. */
function applied(value, op, keys, index) {
  if (index === keys.length) return op.value;
  const key = keys[index], isLast = index === keys.length - 1;
  if (Array.isArray(value)) {
    const copy = value.slice(), place = key === "-" ? copy.length : Number(key);
    if (!isLast) copy[place] = applied(copy[place], op, keys, index + 1);
    else if (op.op === "add") copy.splice(place, 0, op.value);
    else if (op.op === "remove") copy.splice(place, 1);
    else copy[place] = op.value;
    return copy;
  }
  if (!isContainer(value)) throw new Error("a patch does not fit");
  const copy = { ...value };
  if (isLast && op.op === "remove") delete copy[key];
  else put(copy, key, isLast ? op.value : applied(get(value, key), op, keys, index + 1));
  return copy;
}

function differences(a, b, path, found) {
  if (a === b || found.length >= 2000) return found;
  if (isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
    for (const key of Object.keys(a)) if (!own(b, key)) found.push({ path: `${path}/${escapeKey(key)}`, old: a[key] });
    for (const key of Object.keys(b)) {
      const inside = `${path}/${escapeKey(key)}`;
      if (own(a, key)) differences(a[key], b[key], inside, found); else found.push({ path: inside, new: b[key] });
    }
  } else found.push({ path, old: a, new: b });
  return found;
}

// ---- The recording

const lines = [], N = [], T = [], BY = [], NAME = [], SPENT = [], OUTCOME = [], DEPTH = [], TEXT = [], PATCH = [];
const heads = new Map(), indexOf = new Map(), snapshots = [], tracked = new Map();
const effects = new Map(), effectsByID = new Map(), led = new Map();
let head = {}, hasStates = false, initial = UNKNOWN, problems = [], failed = [], openMS = 0, isReady = false;

/** What a search looks at: the words of the app, and none of the format. */
function words(value, list) {
  if (isContainer(value)) for (const key of Object.keys(value)) {
    if (!Array.isArray(value)) list.push(key);
    words(value[key], list);
  } else if (value !== null) list.push(String(value));
}

function searchText(raw) {
  const line = lineOf(raw), list = [];
  for (const key of ["name", "at", "via", "error", "unwritten"]) if (line[key] !== undefined) list.push(line[key]);
  words(line.event, list);
  for (const op of line.patch || []) {
    list.push("/" + keysOf(op.path).join("/"));
    words(op.value, list);
  }
  for (const change of line.changes || []) list.push(change.path, change.old ?? "", change.new ?? "");
  return list.join("\n").toLowerCase();
}

/** Prepares the texts to search until a time: a few at once when the page is open, or all when somebody searches. */
function indexWords(until) {
  while (TEXT.length < lines.length && performance.now() < until) TEXT.push(searchText(lines[TEXT.length]));
}
function indexRest() {
  indexWords(performance.now() + 20);
  if (TEXT.length < lines.length) setTimeout(indexRest);
}

function read(text) {
  hasLong = LONG.test(text);
  for (const raw of text.split("\n")) {
    if (raw === "") continue;
    const line = lineOf(raw);
    if (line.recording !== undefined) {
      if (lines.length === 0 && head.recording === undefined) head = line; else heads.set(lines.length - 1, line.state);
    } else if (line.n !== undefined) {
      const index = lines.length;
      lines.push(raw);
      indexOf.set(line.n, index);
      N.push(line.n);
      T.push(line.t_ms ?? 0);
      BY.push(line.by ?? -1);
      NAME.push(line.name ?? "event");
      SPENT.push((line.ns || []).slice(1).reduce((sum, part) => sum + part, 0));
      OUTCOME.push(line.unfinished ? "unfinished" : line.ns === undefined ? "unknown" : line.outcome ?? "finished");
      PATCH.push(line.unknown ? UNKNOWN : line.patch);
      const cause = line.by > 0 ? indexOf.get(line.by) : undefined;
      DEPTH.push(cause === undefined ? 0 : Math.min(DEPTH[cause] + 1, 12));
      if (cause !== undefined) led.has(cause) ? led.get(cause).push(index) : led.set(cause, [index]);
    } else if (line.tracked !== undefined) {
      append(tracked, line.by ?? 0, line);
    } else if (line.effect !== undefined) {
      const known = effectsByID.get(line.effect);
      if (known) Object.assign(known, { ns: line.ns, outcome: line.outcome, error: line.error });
      else {
        effectsByID.set(line.effect, line);
        append(effects, line.by ?? 0, line);
      }
    }
  }
  if (head.recording === undefined) throw new Error("the page holds no recording");
  problems = head.problems || [];
  if (hasLong && !JSON.rawJSON) problems.push("this browser is too old for whole numbers beyond 2^53: they are rounded");
  // Where the first head has a text, a later one may have a state.
  hasStates = head.states !== "text" || heads.size > 0;
  if (head.states !== "text" && own(head, "state")) initial = head.state;
  let state = initial;
  for (let index = 0; index < lines.length; index++) {
    if (index % EVERY === 0) snapshots.push(state);
    state = next(state, index);
  }
  failed = OUTCOME.flatMap((outcome, index) => outcome === "failed" ? [index] : []);
  for (const { by = 0, via, outcome } of effectsByID.values()) {
    // The failure of an event's own work is the event's.
    if (outcome === "failed" && (via !== undefined || OUTCOME[near(by)] !== "failed")) failed.push(near(by));
  }
  failed.sort((a, b) => a - b);
}
const append = (map, key, value) => map.has(key) ? map.get(key).push(value) : map.set(key, [value]);

function next(state, index) {
  if (heads.has(index)) return heads.get(index);
  const patch = PATCH[index];
  if (patch === UNKNOWN) return UNKNOWN;
  if (!patch || state === UNKNOWN) return state;
  try {
    return patch.reduce((value, op) => applied(value, op, keysOf(op.path), 0), state);
  } catch {
    return UNKNOWN;
  }
}

let lastIndex = -2, lastState;
/** The state after the step of an index, -1 for the first. */
function stateAt(index) {
  if (index < 0) return initial;
  if (index === lastIndex) return lastState;
  let from = Math.floor(index / EVERY) * EVERY, state = snapshots[from / EVERY];
  if (lastIndex >= from && lastIndex < index) [from, state] = [lastIndex + 1, lastState];
  for (let step = from; step <= index; step++) state = next(state, step);
  [lastIndex, lastState] = [index, state];
  return state;
}

/** The index of the step, or of the step before it where it is missing; -1 in a recording without steps. */
function near(number) {
  if (indexOf.has(number)) return indexOf.get(number);
  let low = 0, high = N.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (N[middle] <= number) low = middle + 1; else high = middle;
  }
  return Math.min(Math.max(low - 1, 0), N.length - 1);
}
const parsed = new Map();
/** A parsed line; the last 256 or fewer are kept. */
function lineAt(index) {
  if (!parsed.has(index)) {
    if (parsed.size >= 256) parsed.clear();
    parsed.set(index, lineOf(lines[index]));
  }
  return parsed.get(index);
}

/** What a step changed, each path once. */
function changesOf(index) {
  const line = lineAt(index);
  if (line.changes) return line.changes.map(({ path, old, new: now }) => ({ path, old, new: now }));
  if (!line.patch) return [];
  let state = stateAt(index - 1);
  return line.patch.map(op => {
    const change = { path: op.path }, keys = keysOf(op.path), parent = keys.slice(0, -1).reduce(get, state);
    if (op.op !== "add" || !Array.isArray(parent)) {
      const old = keys.reduce(get, state);
      if (old !== undefined) change.old = old;
    }
    if (op.op !== "remove") change.new = op.value;
    state = applied(state, op, keys, 0);
    return change;
  });
}

function stepObject(index) {
  const line = lineAt(index);
  return { n: line.n, t_ms: line.t_ms, name: line.name, event: line.event, at: line.at, by: line.by, via: line.via, ns: line.ns,
    outcome: OUTCOME[index], error: line.error };
}

function search(text) {
  const start = performance.now(), found = [];
  const plain = text.toLowerCase(), path = pointer(plain).replace(/~1/g, "/").replace(/~0/g, "~");
  if (plain !== "") indexWords(Infinity);
  for (let index = 0; plain !== "" && index < TEXT.length; index++) {
    if (TEXT[index].includes(plain) || path.length > 1 && TEXT[index].includes(path)) found.push(index);
  }
  return { ms: performance.now() - start, found };
}

function watch(path) {
  const found = [];
  let before = UNKNOWN, state = stateAt(-1);
  // Ends at what two states share, and at the first difference: to compare the texts of large values at each step would take minutes.
  const isSame = (a, b) => a === b || isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)
    && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every(key => Object.hasOwn(b, key) && isSame(a[key], b[key]));
  const see = n => {
    const value = state === UNKNOWN ? UNKNOWN : at(state, path);
    if (value !== UNKNOWN && !isSame(value, before)) found.push({ n, value: value ?? null });
    before = value;
  };
  if (hasStates) {
    see(head.after ?? 0);
    for (let index = 0; index < lines.length; index++) {
      const now = next(state, index);
      if (now === state) continue;
      state = now;
      see(N[index]);
    }
  }
  return found;
}

// ---- Out of it

function headLine(index) {
  const { problems: told, ended, ...copy } = { ...head, after: index < 0 ? head.after ?? 0 : N[index] }, state = stateAt(index);
  if (state !== UNKNOWN) {
    copy.state = state;
    // Where the recording begins with a text, the page's head says so, or nothing.
    if (copy.states === "text" || copy.states === undefined) {
      copy.states = "json";
      delete copy.reason;
    }
  }
  // The head's state belongs to another step.
  else if (index >= 0) delete copy.state;
  return JSON.stringify(copy, spelt);
}

/** The lines of steps. Where the state becomes known again, a head follows the step. */
const linesOf = (from, to) => lines.slice(from, to + 1).flatMap((raw, place) =>
  heads.has(from + place) && head.id !== undefined ? [raw, headLine(from + place)] : [raw]);

/** The lines from one step to another, a recording of their own. */
function part(a, b) {
  const [from, to] = [near(a), near(b)];
  return [headLine(from - 1), ...linesOf(from, to)].join("\n") + "\n";
}

function redux(a, b) {
  const start = a <= (head.after ?? 0) ? -1 : near(a), end = near(b);
  if (end - start > 5000) throw new Error("Redux DevTools' file holds at most 5,000 steps: pin a step nearer to this one");
  const first = stateAt(start);
  if (first === UNKNOWN) throw new Error("the state where it would begin is not known");
  const actionsById = { 0: { type: "PERFORM_ACTION", action: { type: "@@INIT" }, timestamp: T[Math.max(start, 0)] ?? 0 } };
  const computedStates = [{ state: first }], stagedActionIds = [0];
  for (let index = start + 1; index <= end; index++) {
    const id = index - start, line = lineAt(index), state = stateAt(index);
    const action = { type: line.name ?? "event" };
    if (line.event !== undefined) put(action, "event", line.event);
    for (const key of ["n", "by", "via", "at", "error"]) if (line[key] !== undefined) action[key] = line[key];
    actionsById[id] = { type: "PERFORM_ACTION", action, timestamp: line.t_ms ?? 0 };
    stagedActionIds.push(id);
    computedStates.push(state === UNKNOWN ? { state: null, error: "not known" } : { state });
  }
  const text = JSON.stringify({ monitorState: {}, nextActionId: stagedActionIds.length, actionsById, stagedActionIds, skippedActionIds: [],
    committedState: first, currentStateIndex: stagedActionIds.length - 1, computedStates, isLocked: false, isPaused: false });
  if (text.length > 30e6) throw new Error("Redux DevTools' file would have more than 30 MB: pin a step nearer to this one");
  return text;
}

function test(n) {
  const end = near(n);
  if (end < 0) throw new Error("there is no step to test");
  if ((head.after ?? 0) !== 0 || N.some((number, index) => index <= end && number !== index + 1)) {
    throw new Error("a test replays from the first event on, and some of these are missing");
  }
  const text = [headLine(-1), ...linesOf(0, end)];
  const isLong = text.reduce((sum, line) => sum + line.length, 0) > 200_000;
  const runs = isLong ? [] : text.join("\n").match(/\\#+/g) || [];
  const hash = "#".repeat(runs.reduce((most, run) => Math.max(most, run.length), 3));
  const name = `event ${N[end]}, ${NAME[end].replace(/[^\w .-]/g, "")}, leads to the recorded state`;
  const types = head.types || {};
  const source = isLong
    ? "    // Too long for a source file: keep what *Save part* writes beside the test.\n"
      + `    let recording = try Recording(contentsOf: "part-1-${N[end]}.ndjson")`
    : `    let recording = Recording(\n        ${hash}"""\n${text.map(line => "        " + line).join("\n")}\n        """${hash})`;
  return `import LoopCore\n${isLong ? "import LoopLogFiles\n" : ""}import LoopRecording\nimport Testing\n\n`
    + `// makeSystem() is yours: a fresh System<${types.state ?? "State"}, ${types.event ?? "Event"}> with its initial state and reducer.\n`
    + `@MainActor @Test func \`${name}\`() async throws {\n${source}\n    try await makeSystem().replay(recording, upTo: ${N[end]})\n}\n`;
}

// ---- The page

/** Replaces what is in a box. An element with the name of the one that had the focus gets the focus, else the box does. */
function refill(box, ...inside) {
  const name = node => node.getAttribute("aria-label") ?? node.textContent, focused = document.activeElement;
  const wanted = focused !== box && box.contains(focused) && name(focused);
  box.replaceChildren(...inside);
  if (wanted !== false) ([...box.querySelectorAll("button, pre")].find(node => name(node) === wanted) ?? box).focus();
}

/** Marks that turn the order of what follows are shown by their numbers: data must not look like other data. */
const visible = text => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, mark =>
  "\\u" + mark.charCodeAt(0).toString(16).padStart(4, "0"));
const element = elements(HTML, visible);
const button = (label, onclick, attributes) => element("button", { type: "button", onclick, ...attributes }, label);
const soft = text => element("p.soft", text);
const section = (title, ...inside) => element("section", element("h3", title), ...inside);
/** Says how many of a list are not shown. */
const rest = count => count > 0 && element("li.soft", `and ${count} more`);
/** A section with a list, or none. */
const listed = (title, list, make) => list.length > 0 && section(title,
  element("ul", list.slice(0, LISTED).map(one => element("li", make(one))), rest(list.length - LISTED)));
const plural = (count, one, many = one + "s") => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
function duration(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]]) if (ns >= size) return `${(ns / size).toPrecision(3)} ${unit}`;
  return `${ns} ns`;
}
const clock = ms => !ms ? "" : Math.abs(ms) > 8.64e15 ? `${ms} ms` : new Date(ms).toISOString().replace("T", " ").replace("Z", " UTC");

let here = -1, pin = -1, watched = null, watchedChanges = [], matches = { found: [] }, matched = new Set(), rows = [], rowOf = [];
let filter = "", tree = [], branch = "", marked = new Set(), above = new Set();
const unfolded = new Set(), opened = new Set([""]), closed = new Set();
const part_ = {};

function makeRows() {
  rows = [];
  rowOf = new Int32Array(lines.length);
  for (let index = 0; index < lines.length;) {
    let end = index + 1;
    const isAlike = other => NAME[other] === NAME[index] && OUTCOME[other] === OUTCOME[index] && DEPTH[other] === DEPTH[index];
    while (end < lines.length && isAlike(end) && N[end] === N[end - 1] + 1) end++;
    const isFolded = end - index >= 3 && !unfolded.has(index);
    if (isFolded) rows.push({ index, count: end - index });
    for (let step = index; step < end; step++) {
      if (!isFolded) rows.push({ index: step, count: 1, group: end - index >= 3 ? index : -1 });
      rowOf[step] = rows.length - 1;
    }
    index = end;
  }
  markRows();
}
const markRows = () => { matched = new Set(matches.found.map(index => rowOf[index])); };

/** A list that holds only the rows in view, and the chosen one. */
function virtual(box, height, name, count, make, chosen) {
  const space = element("div.space", { role: "presentation" });
  box.append(space);
  let first = -1, last = -1;
  const draw = isForced => {
    const total = count();
    space.style.height = `${total * height}px`;
    const from = Math.max(0, Math.floor(box.scrollTop / height) - 4);
    const to = Math.min(total, from + Math.ceil((box.clientHeight || 400) / height) + 8);
    if (!isForced && from === first && to === last) return;
    [first, last] = [from, to];
    const made = Array.from({ length: to - from }, (_, place) => from + place), active = chosen();
    if (active >= 0 && active < from) made.unshift(active); else if (active >= to && active < total) made.push(active);
    space.replaceChildren(...made.map(row => {
      const item = make(row, row === active);
      item.id = `${name}-${row}`;
      item.style.top = `${row * height}px`;
      return item;
    }));
    if (active < total) box.setAttribute("aria-activedescendant", `${name}-${active}`); else box.removeAttribute("aria-activedescendant");
  };
  box.addEventListener("scroll", () => draw(false), { passive: true });
  const show = row => {
    const top = row * height;
    if (top < box.scrollTop || top + height > box.scrollTop + box.clientHeight) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    draw(true);
  };
  return { draw, show };
}

const ending = index => OUTCOME[index] === "unfinished" ? "end not known" : OUTCOME[index];
function stepRow(row, isHere) {
  const { index, count } = rows[row], isPinned = pin >= 0 && rowOf[pin] === row;
  const shown = isHere ? here : isPinned ? pin : index, line = lineAt(shown);
  const paths = (line.patch || line.changes || []).slice(0, 3).map(op => line.patch ? dotted(op.path) : op.path).join(", ");
  const name = element("span.name", NAME[shown]);
  const item = element("div", {
    class: `row ${OUTCOME[shown]}${isHere ? " here" : ""}${isPinned ? " pinned" : ""}${matched.has(row) ? " match" : ""}`,
    role: "option", "aria-selected": String(isHere), "aria-posinset": row + 1, "aria-setsize": rows.length,
    onclick: () => go(shown),
  }, element("span.number", String(N[shown])), name, count > 1 && element("span.times", `×${count.toLocaleString("en")}`),
    element("span.paths", paths), element("span.spent", OUTCOME[shown] === "finished" ? duration(SPENT[shown]) : ending(shown)));
  name.style.paddingInlineStart = `${Math.min(DEPTH[shown], 8) * 0.7}rem`;
  return item;
}

// The state as rows.
function makeTree() {
  tree = [];
  const state = stateAt(here), wanted = filter.toLowerCase();
  if (state === UNKNOWN) return;
  let isCut = false;
  const visit = (key, value, path, depth) => {
    if (tree.length >= TREE_ROWS) {
      isCut = true;
      return false;
    }
    const isOpen = isContainer(value) && (wanted !== "" || opened.has(path) || depth < 2 && !closed.has(path) || isAboveMark(path));
    const place = tree.push({ key, value, path, depth, isOpen }) - 1;
    let fits = wanted === "" || dotted(path).toLowerCase().includes(wanted)
      || !isContainer(value) && String(value).toLowerCase().includes(wanted);
    if (isOpen) {
      for (const inside of Object.keys(value)) fits = visit(inside, value[inside], `${path}/${escapeKey(inside)}`, depth + 1) || fits;
    }
    if (!fits) tree.length = place;
    return fits;
  };
  visit("state", state, "", 0);
  if (isCut) tree.push({ path: null });
}
const isAboveMark = path => above.has(path) && !closed.has(path);
function pathsAbove(paths) {
  const found = new Set();
  for (const path of paths) {
    let end = path.lastIndexOf("/");
    while (end >= 0 && !found.has(path.slice(0, end))) {
      found.add(path.slice(0, end));
      end = path.lastIndexOf("/", end - 1);
    }
  }
  return found;
}

const sizeOf = value => isContainer(value) ? Object.keys(value).length : 0;
/** The row that the keys of the tree start from. */
const branchHere = () => Math.max(tree.findIndex(row => row.path === branch), 0);

function treeRow(place, isHere) {
  const { key, value, path, depth, isOpen } = tree[place];
  if (path === null) {
    return element("div.branch soft", { role: "treeitem", "aria-level": 1 },
      `Only the first ${plural(TREE_ROWS, "row")} are here: fold some, or filter (f)`);
  }
  const isMarked = marked.has(path), isWatched = path === watched, size = sizeOf(value);
  const shown = isContainer(value) ? (Array.isArray(value) ? `[${size}]` : `{${size}}`) : short(value, 400);
  const item = element("div", {
    class: `branch${isHere ? " here" : ""}${isMarked ? " marked" : ""}${isWatched ? " watched" : ""}`,
    role: "treeitem", "aria-level": depth + 1,
    "aria-expanded": size ? String(isOpen) : undefined, "aria-selected": String(isWatched), title: dotted(path),
    onclick: () => { branch = path; if (size) toggle(path, isOpen); else watchPath(path); }, ondblclick: () => watchPath(path),
  }, element("span.twist", { "aria-hidden": "true" }, size ? (isOpen ? "▾" : "▸") : " "),
    element("span.key", key), element(isContainer(value) || value === null ? "span.value soft" : "span.value", shown));
  item.style.paddingInlineStart = `${Math.min(depth, 24) * 0.9}rem`;
  return item;
}
/** What keys do while the tree has the focus. */
function treeKeys() {
  const place = branchHere(), { path, value, depth, isOpen } = tree[place] ?? {}, canFold = filter === "" && sizeOf(value) > 0;
  if (path === undefined) return {};
  const to = row => {
    branch = tree[Math.min(Math.max(row, 0), tree.length - 1)].path ?? branch;
    part_.tree.show(branchHere());
  };
  const watchHere = () => { if (path !== null) watchPath(path); };
  return { ArrowDown: () => to(place + 1), ArrowUp: () => to(place - 1), PageDown: () => to(place + 20), PageUp: () => to(place - 20),
    Home: () => to(0), End: () => to(tree.length - 1), Enter: watchHere, " ": watchHere,
    ArrowRight: () => { if (canFold && !isOpen) toggle(path, false); else if (tree[place + 1]?.depth > depth) to(place + 1); },
    ArrowLeft: () => canFold && isOpen ? toggle(path, true) : to(tree.findLastIndex((row, at) => at < place && row.depth < depth)) };
}
function toggle(path, isOpen) {
  if (isOpen) { opened.delete(path); closed.add(path); } else { opened.add(path); closed.delete(path); }
  showTree();
}
function showTree() {
  makeTree();
  part_.tree.draw(true);
}

function changeRow({ path, old, new: now }, isText) {
  const label = isText ? path : dotted(path);
  const told = value => isText ? value ?? "" : short(value);
  return element("li",
    isText ? element("span", label) : button(label, () => watchPath(path), { class: "path", "aria-label": `Watch ${label}` }),
    element("span.old", told(old)), element("span", { "aria-hidden": "true" }, " → "), element("span.new", told(now)));
}
const why = () => problems.findLast(text => /^states .* text after (\d+)/.exec(text)?.[1] <= N[here]) ?? "steps are missing before";
const link = (index, text) => button(text, () => go(index), { class: "link" });
const linked = index => link(index, `${N[index]} ${NAME[index]}`);

function showStep() {
  if (here < 0) return refill(part_.step, soft("The recording has no steps. The state is the initial one."));
  const line = lineAt(here), isText = Boolean(line.changes), changes = changesOf(here);
  const isUnknown = hasStates && !isText && !changes.length && PATCH[here] === UNKNOWN;
  marked = new Set(isText ? [] : changes.map(change => change.path));
  above = pathsAbove(marked);
  const cause = line.by === 0 ? "the initial state" : !(line.by > 0) ? "outside"
    : indexOf.has(line.by) ? linked(indexOf.get(line.by)) : `event ${line.by}`;
  const works = ["waited", "reducer", "bindings", "work"].slice(0, line.ns?.length)
    .map((word, place) => `${word} ${duration(line.ns?.[place])}`);
  const fact = (name, ...value) => [element("dt", name), element("dd", ...value)];
  const more = (line.more ?? 0) + Math.max(changes.length - 200, 0);
  const list = element("ul.changes", changes.slice(0, 200).map(change => changeRow(change, isText)), rest(more));
  const event = typeof line.event === "string" ? line.event : JSON.stringify(line.event, null, 2);
  refill(part_.step, ...[
    element("h2", `${line.n} `, element("span", NAME[here])),
    element("dl", fact("Sent at", line.at ?? "unknown"), fact("Caused by", cause, line.via ? ` through ${line.via}` : ""),
      fact("Outcome", ending(here) + (line.loading ? ", with a loading state before" : ""),
        line.error ? element("div.error", line.error) : ""),
      fact("Time", clock(line.t_ms)), line.ns?.length > 0 && fact("Took", works.join(", ")),
      line.hidden?.length > 0 && fact("Hidden", line.hidden.map(dotted).join(", "))),
    section("Changes", isUnknown ? soft(`Not known: ${why()}.`) : changes.length ? list : soft("No change.")),
    pin >= 0 && pin !== here && sincePin(),
    line.event !== undefined && section("Event", element("pre", { tabindex: 0, "aria-label": "Event" }, event.slice(0, 20_000)),
      event.length > 20_000 && soft(`and ${plural(event.length - 20_000, "more character")}`)),
    listed("What followed", led.get(here) || [], linked),
    listed("Effects", [...here ? [] : notesOf(effects, -1), ...notesOf(effects, here)],
      ({ by = 0, via = "work", outcome = "not ended", ns, error }) => (by === line.n ? "" : `after ${by}, `)
        + `${via}: ${outcome}${ns === undefined ? "" : `, ${duration(ns)}`}${error ? `, ${error}` : ""}`),
    listed("Tracked", tracked.get(line.n) || [], note => `${note.tracked} ${short(note.props ?? {}, 400)}`),
    element("p.actions", button("Pin (p)", setPin), button("Copy as Swift test (t)", showTest), button("Redux DevTools", saveRedux),
      button("Save part", savePart)),
  ].filter(Boolean));
}
function sincePin() {
  const [a, b] = [stateAt(pin), stateAt(here)], found = a === UNKNOWN || b === UNKNOWN ? [] : differences(a, b, "", []);
  const rows = found.slice(0, 100).map(change => changeRow(change));
  return section(`Since the pin at ${N[pin]}`, found.length
    ? element("ul.changes", rows, rest(found.length - 100)) : soft("No difference that is known."));
}

function showWatched() {
  if (watched === null) return refill(part_.watched, soft(hasStates
    ? "Choose a value to see when it changed." : "What is recorded as text cannot be watched."));
  const numbers = watchedChanges.filter(entry => isNumber(entry.value));
  const now = watchedChanges.findLastIndex(entry => entry.n <= (N[here] ?? 0));
  const around = watchedChanges.slice(Math.max(0, now - 3), now + 5);
  const parts = [element("h3", dotted(watched)), soft(plural(Math.max(watchedChanges.length - 1, 0), "change"))];
  if (numbers.length > 1) {
    const canvas = element("canvas.spark", { role: "img", "aria-label": `${dotted(watched)} over time` });
    parts.push(canvas);
    requestAnimationFrame(() => spark(canvas, numbers));
  }
  parts.push(element("ul", ...around.map(entry => element("li", { class: entry === watchedChanges[now] ? "now" : "" },
    link(near(entry.n), `${entry.n}`), ` ${short(entry.value, 100)}`))));
  refill(part_.watched, ...parts);
}
function spark(canvas, entries) {
  const { context, width, height, colour } = prepared(canvas);
  const values = entries.map(entry => Number(entry.value));
  // As arguments of one call, the values of a long recording would be too many.
  const [low, high] = [Math.min, Math.max].map(extreme => values.reduce((a, b) => extreme(a, b)));
  context.strokeStyle = colour("--accent");
  context.beginPath();
  entries.forEach((entry, place) => {
    const x = (entry.n - N[0]) / Math.max(N.at(-1) - N[0], 1) * width;
    const y = height - 3 - (values[place] - low) / Math.max(high - low, 1e-9) * (height - 6);
    if (place) context.lineTo(x, y); else context.moveTo(x, y);
  });
  context.stroke();
}
function prepared(canvas, width = canvas.clientWidth, height = canvas.clientHeight) {
  const scale = devicePixelRatio || 1;
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  context.scale(scale, scale);
  return { context, width, height, colour: name => style.getPropertyValue(name) };
}

let longest, drawn = {};
/** Draws the strip. All but its cursor is kept until the pin, the matches, the size or the colours change. */
function drawStrip() {
  const { clientWidth, clientHeight } = part_.strip, isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const key = [clientWidth, clientHeight, devicePixelRatio, isDark, pin].join();
  if (drawn.key !== key || drawn.matches !== matches) {
    drawn.strip ??= document.createElement("canvas");
    drawBars(drawn.strip, clientWidth, clientHeight);
    drawn = { ...drawn, key, matches, ink: getComputedStyle(document.documentElement).getPropertyValue("--ink") };
    part_.strip.width = drawn.strip.width;
    part_.strip.height = drawn.strip.height;
  }
  const context = part_.strip.getContext("2d"), { width, height } = part_.strip;
  context.clearRect(0, 0, width, height);
  if (drawn.strip.width && drawn.strip.height) context.drawImage(drawn.strip, 0, 0);
  if (here < 0) return;
  const wide = 2 * (devicePixelRatio || 1);
  context.fillStyle = drawn.ink;
  context.fillRect(here / Math.max(lines.length, 1) * width - wide / 2, 0, wide, height);
}
function drawBars(canvas, width, height) {
  const { context, colour } = prepared(canvas, width, height);
  const places = indices => new Set(indices.map(index => Math.floor(index / lines.length * width)));
  if (!longest || longest.width !== width) {
    longest = { width, spent: new Float64Array(Math.max(width, 1)), top: 1 };
    for (let index = 0; index < lines.length; index++) {
      const x = Math.min(Math.floor(index / lines.length * width), width - 1);
      longest.spent[x] = Math.max(longest.spent[x], Math.log10(SPENT[index] + 1));
      longest.top = Math.max(longest.top, longest.spent[x]);
    }
  }
  context.fillStyle = colour("--bar");
  for (let x = 0; x < width; x++) if (longest.spent[x] > 0) {
    const tall = longest.spent[x] / longest.top * (height - 8);
    context.fillRect(x, height - tall, 1, tall);
  }
  context.fillStyle = colour("--bad");
  for (const x of places(failed)) context.fillRect(x, 0, 2, height);
  context.fillStyle = colour("--match");
  for (const x of places(matches.found)) context.fillRect(x, 0, 1, height);
  context.fillStyle = colour("--pin");
  if (pin >= 0) context.fillRect(pin / lines.length * width - 1.5, 0, 3, height);
}

function showTop() {
  const facts = [head.app?.name, head.app?.version && `version ${head.app.version}`, head.app?.device, head.system,
    plural(lines.length, "step"), clock(head.t_ms),
    head.ended ? `ended: ${head.ended}` : "did not end by itself", plural(failed.length, "failure"),
    !head.ended && OUTCOME.at(-1) === "unfinished" && `last event taken: ${N.at(-1)}, whether it ended is not known`];
  part_.facts.replaceChildren(...facts.filter(Boolean).map(text => element("li", text)));
  if (head.hidden?.length) part_.facts.append(element("li.soft", `hidden: ${head.hidden.map(dotted).join(", ")}`));
  const more = problems.length - 50;
  part_.problems.replaceChildren(...problems.slice(0, 50).map(text => element("li", text)));
  if (more > 0) part_.problems.append(element("li", `and ${plural(more, "more problem")}`));
  part_.problems.hidden = problems.length === 0;
}

/** Shows the step of an index. */
function go(index, isQuiet) {
  if (lines.length === 0) {
    showStep();
    showTree();
    return;
  }
  here = Math.min(Math.max(index, 0), lines.length - 1);
  stateAt(here - 1);
  showStep();
  makeTree();
  part_.steps.show(rowOf[here]);
  const first = tree.findIndex(row => marked.has(row.path));
  if (first >= 0) part_.tree.show(first); else part_.tree.draw(true);
  part_.unknown.hidden = stateAt(here) !== UNKNOWN;
  part_.unknown.textContent = hasStates ? `The state is not known here: ${why()}.` : "The states are recorded as text: see the changes.";
  part_.strip.setAttribute("aria-valuenow", N[here]);
  part_.strip.setAttribute("aria-valuetext", `step ${N[here]}, ${NAME[here]}`);
  part_.place.textContent = `${N[here]} of ${N.at(-1)}`;
  drawStrip();
  showWatched();
  if (!isQuiet) remember();
}
let waiting;
/** Writes the address once the reader rests: that costs the browser more than all else of a jump. */
function remember() {
  clearTimeout(waiting);
  waiting = setTimeout(writeAddress, 250);
}
function writeAddress() {
  const parts = [`step=${N[here] ?? 0}`];
  if (pin >= 0) parts.push(`pin=${N[pin]}`);
  if (watched !== null) parts.push(`watch=${encodeURIComponent(watched)}`);
  if (part_.search.value) parts.push(`q=${encodeURIComponent(part_.search.value)}`);
  history.replaceState(null, "", "#" + parts.join("&"));
}

function setPin() {
  pin = pin === here ? -1 : here;
  go(here);
}
function watchPath(path) {
  watched = path === watched ? null : path;
  watchedChanges = watched === null ? [] : watch(watched);
  showTree();
  showWatched();
  remember();
}
function find(text) {
  matches = search(text);
  markRows();
  part_.found.textContent = text ? plural(matches.found.length, "match", "matches") : "";
  part_.steps.draw(true);
  drawStrip();
}
function jump(indices, isBack) {
  const next = isBack ? indices.findLast(index => index < here) : indices.find(index => index > here);
  if (next !== undefined) go(next);
}
function move(by) {
  const row = Math.min(Math.max((rowOf[here] ?? 0) + by, 0), rows.length - 1);
  if (rows[row]) go(rows[row].index);
}
function fold(isOpening) {
  const row = rows[rowOf[here]];
  if (!row) return;
  if (isOpening && row.count > 1) unfolded.add(row.index);
  else if (!isOpening && row.group >= 0) { unfolded.delete(row.group); here = row.group; } else return;
  makeRows();
  go(here);
}

function dialog(title, text, name) {
  const area = element("textarea", { name: "text", readonly: true, "aria-label": title, rows: 16 });
  area.value = text;
  const told = element("span.soft", { role: "status" });
  const copy = () => {
    area.select();
    told.textContent = document.execCommand("copy") ? "Copied." : "The browser did not copy: the text is selected.";
  };
  part_.dialog.setAttribute("aria-label", title);
  part_.dialog.replaceChildren(element("h2", title), area,
    element("p.actions", button("Copy", copy), name && button("Save", () => save(name, text)),
      button("Close", () => part_.dialog.close()), told));
  part_.dialog.showModal();
  area.focus();
}
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
function attempt(action) {
  try { action(); } catch (error) { dialog("This cannot be done", error.message); }
}
const showTest = () => attempt(() => dialog(`Event ${N[here]} as a Swift test`, test(N[here]), "RecordedTest.swift"));
const saveRedux = () => attempt(() => {
  const start = pin >= 0 && pin < here ? N[pin] : Math.max(N[here] - 5000, head.after ?? 0);
  save("state.json", redux(start, N[here]));
});
const savePart = () => attempt(() => {
  const [a, b] = pin >= 0 ? [Math.min(pin, here), Math.max(pin, here)] : [0, here];
  save(`part-${N[a]}-${N[b]}.ndjson`, part(N[a], N[b]));
});
const help = () => dialog("Keys", ["↑ ↓ j k: a row on", "Page Up, Page Down: twenty rows on", "Home, End: the first, the last step",
  "← →: fold and unfold equal neighbours", "c: to the cause", "e E: the next failure, the one before",
  "n N: the next match or change of the watched value, the one before", "p: pin this step", "t: as a Swift test", "/: search",
  "f: filter the state", "In the state: ↑ ↓ a row on, ← → fold and unfold, Enter: watch",
  "In the strip: ↑ → a step on, ↓ ← a step back", "Esc: leave a field", "?: these keys"].join("\n"));

function pressed(event) {
  const isField = /^(INPUT|TEXTAREA)$/.test(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || part_.dialog.open) return;
  if (event.key === "Escape") {
    event.preventDefault(); // or the browser empties the field
    event.target.blur();
    return part_.list.focus();
  }
  if (isField) {
    if (event.key === "Enter" && event.target === part_.search) jump(matches.found, event.shiftKey);
    return;
  }
  const stops = watched !== null ? watchedChanges.map(entry => indexOf.get(entry.n)).filter(index => index !== undefined) : matches.found;
  const actions = { ArrowDown: () => move(1), j: () => move(1), ArrowUp: () => move(-1), k: () => move(-1),
    PageDown: () => move(20), PageUp: () => move(-20),
    Home: () => go(0), End: () => go(lines.length - 1), ArrowRight: () => fold(true), ArrowLeft: () => fold(false),
    c: () => { const by = BY[here]; if (by > 0 && indexOf.has(by)) go(indexOf.get(by)); },
    e: () => jump(failed), E: () => jump(failed, true), n: () => jump(stops), N: () => jump(stops, true),
    p: setPin, t: showTest, "/": () => { pane("steps"); part_.search.focus(); },
    f: () => { pane("state"); part_.filter.focus(); }, "?": help };
  if (event.target === part_.box) Object.assign(actions, treeKeys());
  const slide = { ArrowRight: 1, ArrowUp: 1, PageUp: 20, ArrowLeft: -1, ArrowDown: -1, PageDown: -20 }[event.key];
  if (event.target === part_.strip && slide) actions[event.key] = () => go(here + slide);
  if (!own(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
}
function pane(name) {
  part_.app.dataset.pane = name;
  for (const [key, tab] of Object.entries(part_.tabs)) tab.setAttribute("aria-pressed", String(key === name));
  part_.steps?.draw(true);
  part_.tree?.draw(true);
}

function build() {
  const app = part_.app = document.getElementById("app");
  part_.facts = element("ul.facts", { "aria-label": "Session" });
  part_.problems = element("ul.problems", { "aria-label": "Problems" });
  part_.strip = element("canvas.strip", { role: "slider", tabindex: 0, "aria-label": "Steps",
    "aria-valuemin": N[0] ?? 0, "aria-valuemax": N.at(-1) ?? 0, "aria-valuenow": 0,
    onclick: event => go(Math.floor(event.offsetX / part_.strip.clientWidth * lines.length)) });
  part_.search = element("input", { type: "search", name: "q", "aria-label": "Search names, values, paths", placeholder: "Search  /",
    oninput: () => find(part_.search.value), onchange: remember });
  part_.found = element("span.found", { role: "status" });
  part_.list = element("div.list", { role: "listbox", tabindex: 0, "aria-label": "Steps" });
  part_.step = element("div.step", { role: "region", "aria-label": "Step", tabindex: 0 });
  part_.filter = element("input", { type: "search", name: "filter", "aria-label": "Filter the state", placeholder: "Filter  f",
    oninput: () => { filter = part_.filter.value; showTree(); } });
  part_.box = element("div.tree", { role: "tree", tabindex: 0, "aria-label": "State" });
  part_.unknown = element("p.soft", { hidden: true });
  part_.watched = element("div.watched", { role: "region", "aria-label": "Watched value", tabindex: 0 });
  part_.place = element("span.place", { role: "status" });
  part_.dialog = element("dialog");
  part_.tabs = Object.fromEntries(Object.entries({ steps: "Steps", step: "Step", state: "State" })
    .map(([key, label]) => [key, button(label, () => pane(key))]));
  app.append(element("header", element("h1", head.app?.name ?? head.system ?? "Recording"), part_.facts, part_.problems, part_.strip),
    element("nav.tabs", { "aria-label": "Panes" }, ...Object.values(part_.tabs),
      button("‹", () => go(here - 1), { "aria-label": "Step before" }), part_.place,
      button("›", () => go(here + 1), { "aria-label": "Next step" })),
    element("main", element("div.pane steps", element("div.bar", part_.search, part_.found), part_.list),
      element("div.pane middle", part_.step),
      element("div.pane state", element("div.bar", part_.filter, button("?", help, { "aria-label": "Keys" })),
        part_.unknown, part_.box, part_.watched)),
    part_.dialog);
  makeRows();
  part_.steps = virtual(part_.list, ROW, "row", () => rows.length, stepRow, () => rowOf[here]);
  part_.tree = virtual(part_.box, TREE_ROW, "branch", () => tree.length, treeRow, branchHere);
  showTop();
  document.addEventListener("keydown", pressed);
  addEventListener("resize", () => { part_.steps.draw(true); part_.tree.draw(true); drawStrip(); });
  addEventListener("hashchange", fromAddress);
}

function fromAddress() {
  clearTimeout(waiting);
  const wanted = new Map(location.hash.slice(1).split("&").filter(Boolean).map(pair => {
    const place = pair.indexOf("=");
    let value = place < 0 ? "" : pair.slice(place + 1);
    try { value = decodeURIComponent(value); } catch { /* as it stands */ }
    return [place < 0 ? pair : pair.slice(0, place), value];
  }));
  pin = wanted.has("pin") && lines.length ? near(Number(wanted.get("pin")) || 0) : -1;
  find(part_.search.value = wanted.get("q") ?? "");
  watched = wanted.has("watch") ? pointer(wanted.get("watch")) : null;
  watchedChanges = watched === null ? [] : watch(watched);
  const step = wanted.get("step");
  go(step === undefined || step === "last" || step === "" ? lines.length - 1 : near(Number(step) || 0), true);
  document.getElementById("result")?.remove();
  const result = wanted.get("result");
  if (result !== "step" && result !== "state") return;
  const script = element("script", { type: "application/json", id: "result" });
  const answer = { ...status(), ...stepAnswer(here) };
  if (result === "state") answer.state = known(stateAt(here));
  script.textContent = JSON.stringify(answer).replace(/</g, "\\u003c");
  document.body.append(script);
}
const status = () => ({ ready: isReady, open_ms: openMS, steps: lines.length, first: N[0] ?? null, last: N.at(-1) ?? null,
  step: N[here] ?? null, problems });
/** The notes of a step; of the beginning those of no step and of the head's. */
const notesOf = (notes, index) => (index < 0 ? [...new Set([0, head.after ?? 0])] : [N[index]]).flatMap(n => notes.get(n) || []);
/** What programs get for a step; `step` is null where there is none. */
const stepAnswer = index => ({ step: index < 0 ? null : stepObject(index), changes: index < 0 ? [] : changesOf(index),
  tracked: notesOf(tracked, index), effects: notesOf(effects, index) });
const known = state => state === UNKNOWN ? null : state;
const indexFor = n => n <= (head.after ?? 0) ? -1 : near(n);

window.looptrail = Object.freeze({
  version: 1,
  status,
  step: n => stepAnswer(indexFor(n)),
  state: n => known(stateAt(indexFor(n))),
  diff: (a, b) => {
    const [from, to] = [stateAt(indexFor(a)), stateAt(indexFor(b))];
    return from === UNKNOWN || to === UNKNOWN ? null : differences(from, to, "", []);
  },
  search: text => {
    const { ms, found } = search(text);
    return { count: found.length, ms, steps: found.slice(0, FOUND).map(index => N[index]) };
  },
  watch: path => watch(pointer(path)),
  go: n => { go(near(n)); return N[here]; },
  redux, test, part,
});

async function open() {
  read(await unpacked(document.getElementById("data")).text());
  build();
  pane("steps");
  openMS = performance.now() - began;
  isReady = true;
  fromAddress();
  part_.list.focus({ preventScroll: true });
  openMS = performance.now() - began;
  document.documentElement.dataset.ready = "1";
  indexRest();
}
open().catch(error => {
  document.getElementById("app").append(element("p.problems", { role: "alert" }, `This page cannot be shown: ${error.message}`));
  document.documentElement.dataset.ready = "error";
});
})();
