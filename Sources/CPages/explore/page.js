// The page around the engine: its question is the address; its answer stands in the page, and as JSON in #result.
(() => {
const byId = (id) => document.getElementById(id);
const {dataset} = document.documentElement, app = byId("app"), wide = matchMedia("(min-width: 62rem)");
let data, head, answer, search, isPressed, waiting, most, asked = new Map(), rows = [];

// MARK: Text

// What acts or turns the direction of a text is written out; long texts are cut.
const clean = (text, most = 120) => {
    const shown = [...text].map((c) => ACTS.test(c) && c !== "\u200d" && c !== "\u200c"
        ? `\u2039${codePoint(c)}\u203a` : c);
    return shown.length > most ? `${shown.slice(0, most - 1).join("")}…` : shown.join("");
};
const el = elements(HTML), svg = elements("http://www.w3.org/2000/svg");
const bdi = (text) => el("bdi", {dir: "auto"}, clean(text));
const filled = (width, kind = "fill") => el("i", {class: kind, style: `width: ${100 * width}%`});
const count = new Intl.NumberFormat("en-US").format;
const counted = (n, word) => `${count(n)} ${word}${n === 1 ? "" : "s"}`;
// Only the whole is 100.0 %, and only nothing 0.0 %.
const percent = (share) => share == null ? "–" : `${tenths(share < 1 ? Math.min(share, 0.999) : share)} %`;
const between = (ci) => ci ? `${percent(ci[0]).slice(0, -2)}–${percent(ci[1])}` : "–";
const time = (ms) => {
    if (ms == null) return "–";
    if (ms < 999.5) return ms >= 1 ? `${Math.round(ms)} ms` : ms > 0 ? "<1 ms" : "0 s";
    if (ms < 9950) return `${Math.round(ms / 100) / 10} s`;
    for (const [least, name, size, unit] of [[1000, "s", 60, "m"], [60000, "m", 60, "h"], [3600000, "h", 24, "d"]]) {
        const n = Math.round(ms / least), rest = n % size;
        if (n < size) return `${n} ${name}`;
        if (n < size * 10) return `${Math.floor(n / size)} ${unit}${rest ? ` ${rest} ${name}` : ""}`;
    }
    return `${count(Math.round(ms / DAY))} d`;
};
const link = (ask, ...inside) => el("a", {href: `#${spell(ask)}`}, ...inside);
// The question with some other values, and some of its pairs.
const also = (...pairs) => new Map([...asked, ...pairs]);
const pairsOf = (isKept) => [...asked].filter(([key]) => isKept(key));
const table = (caption, heads, rows) => el("div.scroll", {tabindex: 0, role: "region", "aria-label": caption}, el("table",
    el("caption", caption), el("thead", el("tr", heads.map((text, i) => el("th", {scope: "col", class: i > 0 && "number"}, text)))),
    el("tbody", rows.map((row) => el("tr", row.map((cell, i) => i ? el("td.number", cell) : el("th", {scope: "row"}, cell)))))));

const kindOf = ({nodeName, id, className}) => `${nodeName} ${id} ${className}`;
// Makes a node like another: what is focused, pressed or open stays.
const become = (node, next) => {
    if (node.data !== next.data) node.data = next.data;
    if (!node.attributes) return node;
    for (const name of [...node.getAttributeNames(), ...next.getAttributeNames()]) {
        const value = next.getAttribute(name);
        if (value === null) node.removeAttribute(name);
        else if (name === "style") node.style.cssText = value;
        else if (value !== node.getAttribute(name)) node.setAttribute(name, value);
    }
    const left = [...node.childNodes], kept = [...next.childNodes].map((child) => {
        const kind = kindOf(child), at = left.findIndex((one) => kindOf(one) === kind);
        return at < 0 ? child : become(left.splice(at, 1)[0], child);
    });
    left.forEach((one) => one.remove());
    kept.forEach((one, i) => { if (node.childNodes[i] !== one) node.insertBefore(one, node.childNodes[i]); });
    // What acts has an id.
    if (!node.id) return node;
    for (const key of ["onclick", "onchange", "onsubmit", "value", "checked"]) if (node[key] !== next[key]) node[key] = next[key];
    return node;
};
const toAnswer = (event) => {
    event?.preventDefault();
    byId("answer").focus({preventScroll: !event});
};
const focusOn = (...ids) => ids.map(byId).find((one) => one && !one.disabled)?.focus();

// MARK: Question

// While something is pressed nothing moves: it would not be clicked.
const soon = () => {
    clearTimeout(waiting);
    waiting = isPressed ? setTimeout(run, 1000) : run();
};
const go = (ask) => {
    // A field that is removed changes nothing more.
    if (dataset.state === "busy") return;
    location.hash = spell(ask);
    soon();
};
const change = (key, value) => {
    const next = also([key, value === true ? "true" : value]);
    if (value === false || value.length === 0) next.delete(key);
    // Without groups `top` has no meaning.
    if (key === "breakdown" && !next.has(key)) next.delete("top");
    // The default count is left out.
    if (key === "count" && next.delete(key) && ask(data, next).result.definition?.count !== value) next.set(key, value);
    if (key === "steps" && next.get("step") > stepsOf(value)?.length) next.delete("step") && next.delete("dropped");
    go(next);
};
// Controls. act gets what is chosen; options: value, text, whether chosen.
const valued = (act) => (event) => act(event.target.value.trim());
const input = (id, value, act, attributes) => el("input", {id, value, spellcheck: "false", ...attributes, onchange: valued(act)});
const menu = (id, options, act, attributes) => el("select", {id, ...attributes, onchange: valued(act)},
    options.map(([value, text, selected]) => el("option", {value, selected}, text)));
const check = (id, text, checked, act, name) => el("label.tick",
    el("input", {id, type: "checkbox", checked, "aria-label": name, onchange: (event) => act(event.target.checked)}), text);
const button = (id, text, name, act, disabled, kind) =>
    el("button", {id, type: "button", class: kind, "aria-label": name, disabled, onclick: act}, text);
const labelled = (text, control, kind) => el("label", {class: kind}, el("span", text), control);
// Controls of one value of the address.
const field = (key, label, placeholder, attributes) => labelled(label, input(`q-${key}`, asked.get(key) ?? "",
    (value) => change(key, value), {autocomplete: "off", placeholder, ...attributes}), attributes?.class);
const number = (key, label, placeholder) => field(key, label, placeholder, {inputmode: "numeric"});
const choice = (key, label, words, standard) => labelled(label, menu(`q-${key}`,
    Object.entries(words).map(([word, text]) => [word, text, (asked.get(key) ?? standard) === word]),
    (value) => change(key, value === standard ? "" : value)));
const tick = (key, label) => check(`q-${key}`, label, asked.get(key) === "true", (isOn) => change(key, isOn));
// A chosen name that no event has is an option, too.
const namesOf = (chosen) => [
    ...chosen !== null && !head.names.includes(chosen) ? [["", `${clean(chosen)} (never)`, true]] : [],
    ...head.names.map((name, i) => [i, clean(name), name === chosen]),
];
const pathsOf = (mark, isShown = () => true) => [...data.props, ...data.session].filter(isShown)
    .map(({path, source}) => pathText(path, source, mark));

const stepsOf = (text) => {
    try {
        return new Grammar(text ?? "", "steps").steps();
    } catch {
        return null;
    }
};
// A filter that cannot be read stays as it is typed.
const joined = (list) => list.map(({typed, ...step}) =>
    typed ? `${patternText(step)}[${typed}]${step.optional ? "?" : ""}` : stepText(step)).join(" > ");
const stepList = () => {
    const text = asked.get("steps"), list = stepsOf(text) ?? (joined(rows) === text && rows);
    if (!list) return null;
    // The first step is never optional.
    const put = (next) => {
        rows = next.with(0, {...next[0], optional: false});
        change("steps", joined(rows));
    };
    return el("ol.steps", list.map((step, i) => {
        const {names, optional} = step, n = i + 1;
        return el("li",
            menu(`s${i}-name`, [
                ...names?.length > 1 ? [["", clean(names.join(" | ")), true]] : [],
                ["any", "any event", names === null], ...namesOf(names?.length === 1 ? names[0] : null),
            ], (value) => put(list.with(i, {...step, names: value === "any" ? null : [head.names[value]]})),
            {"aria-label": `Event of step ${n}`}),
            input(`s${i}-filter`, step.typed ?? filterOf(step) ?? "", (typed) => put(list.with(i, {...step, tests: [], typed})),
            {"aria-label": `Filter of step ${n}`, placeholder: "price>=10"}),
            el("span.tools",
                i > 0 && check(`s${i}-optional`, "optional", optional, (isOn) => put(list.with(i, {...step, optional: isOn})),
                    `Step ${n} may be skipped`),
                [["up", "↑", i - 1], ["down", "↓", i + 1]].map(([way, sign, to]) =>
                    button(`s${i}-${way}`, sign, `Move step ${n} ${way}`, () => {
                        put(list.with(i, list[to]).with(to, step));
                        // The focus goes with the step.
                        focusOn(`s${to}-${way}`, `s${to}-name`);
                    }, !list[to])),
                button(`s${i}-remove`, "×", `Remove step ${n}`, () => {
                    put(list.toSpliced(i, 1));
                    focusOn(`s${i}-remove`, `s${i - 1}-remove`, "s-add");
                }, list.length === 1)));
    }), el("li.more", button("s-add", "Add a step", null, () => {
        const used = list.flatMap((step) => step.names ?? []), name = head.names.find((one) => !used.includes(one)) ?? head.names[0];
        put([...list, {names: [name], tests: [], optional: false}]);
    }, list.length >= 30)));
};
const exclusions = () => {
    const list = asked.get("exclude") ?? [], put = (i, text) => change("exclude", list.toSpliced(i, 1, ...text ? [text] : []));
    // The row for one more keeps the focus when that is typed.
    return el("fieldset", el("legend", "Excluded events"), [...list, null].map((text, i) => el("div.row",
        input(`x${i}`, text, (next) => put(i, next), text === null
            ? {"aria-label": "Exclude an event", placeholder: "!cart_cleared@1-2"} : {"aria-label": `Excluded event ${i + 1}`}),
        text !== null && button(`x${i}-remove`, "×", `Remove excluded event ${i + 1}`, () => {
            put(i, "");
            focusOn(`x${i}-remove`, `x${i}`);
        }))));
};
const view = () => asked.get("view") ?? "funnel";
const common = () => [
    choice("by", "Count", {user: "users", session: "sessions"}, "user"),
    field("since", "Starts since", "2026-01-15"), field("until", "Starts before", "2026-01-22"),
];
const groups = () => [
    field("breakdown", "Groups by", "session.platform", {list: "paths"}),
    asked.has("breakdown") && number("top", "Groups shown", "10"),
];
const every = (...words) => choice("every", "Every", Object.fromEntries(words.map((word) => [word, word])), "day");
const funnelFields = (isTrend) => [
    stepList(),
    labelled("Steps as text", el("textarea", {
        id: "q-steps", rows: 2, spellcheck: "false", onchange: valued((text) => change("steps", text)),
    }, asked.get("steps") ?? ""), "wide"),
    head.funnels[0] && labelled("Saved funnels", menu("q-saved",
        [["", "choose …"], ...head.funnels.map((one, i) => [i, clean(one.name ?? one.ask.steps)])],
        (value) => value && go(saved(head.funnels[value]))), "wide"),
    el("div.fields", field("window", "Within", "7d"),
        choice("order", "Order", {ordered: "in order", strict: "nothing between", any: "any order"}, "ordered"),
        (asked.get("order") !== "any" || asked.has("step-window")) && field("step-window", "From step to step", "no limit"),
        isTrend && every("hour", "day", "week", "month"),
        choice("count", "Shares of", {users: `${keyNoun()}s`, visits: "visits"}, answer.result.definition?.count ?? "users"),
        common(), groups()),
    isTrend ? tick("include-open", "also starts whose time has not ended")
        : tick("mature", "only starts whose time has ended"), exclusions(),
];
const retentionFields = () => el("div.fields",
    [["start", "Starts with"], ["return", "Comes back with"]].map((one) => field(...one, null, {list: "names", class: "wide"})),
    every("day", "week", "month"), number("periods", "Periods", "7"), common(), groups());
const pathFields = () => {
    const [key, other] = asked.has("to") ? ["to", "from"] : ["from", "to"], says = {from: "What comes after", to: "What came before"};
    return el("div.fields",
        labelled(says[key], menu("q-name", namesOf(asked.get(key) ?? null), (value) => change(key, head.names[value])), "wide"),
        button("q-turn", says[other].replace("What", "Show what"), "Turn the direction", () =>
            go(new Map([...asked].map(([one, value]) => [one === key ? other : one, value])))),
        field("window", "Within", "1d"), number("depth", "Depth", "3"),
        choice("count", "Starts", {users: "each first", attempts: "each one"}, "users"), tick("merge-repeats", "pass over repeats"),
        field("min-share", "At least", "1%"), common());
};
const question = () => el("form", {id: "question", "aria-label": "Question", onsubmit: (event) => event.preventDefault()},
    view() === "retention" ? retentionFields() : view() === "paths" ? pathFields() : funnelFields(view() === "trend"),
    [["names", head.names.map(nameText)], ["paths", pathsOf()]].map(([id, list]) =>
        el("datalist", {id}, list.map((value) => el("option", {value})))));

// MARK: Answers

const keyNoun = () => asked.get("by") === "session" ? "session" : "user";
const noun = () => answer.result.definition?.count === "visits" ? "visit" : keyNoun();
// The list behind a bar counts what the bar counts.
const usersOf = (step, isDropped) => new Map([["view", "users"],
    ...pairsOf((key) => FUNNEL.includes(key) && !/^(include-open|count)$/.test(key)),
    ...noun() === "visit" ? [["count", "visits"]] : [], ["step", `${step}`], ...isDropped ? [["dropped", "true"]] : []]);
const about = () => head.sample ? "about " : "";
const headline = (share) => el("p.large", about(), percent(share));
const nothing = ({overall}) => !overall.entered && `Nothing matched step 1${answer.unripe.late ? " in time to be mature" : ""}.`;
const ofThose = ({entered, converted}) => `${count(converted)} of ${counted(entered, noun())}`;
// What the shares leave open, or out.
const besides = (n, words) => n > 0 && el("p.soft", `${count(n)} ${words}.`);
const STILL = "still had time when the data ended";
const unripe = ({mature}) => [besides(answer.unripe.open, `that did not convert ${STILL}`),
    besides(mature && answer.unripe.late, "more, left out here, entered too late to be mature when the data ended")];
const heading = (name, share, n, soft) => el("div.head", el("span.name", name),
    el("span.figures", el("b", percent(share)), ` ${count(n)}`, soft && el("span.soft", " ", soft)));
const bars = ({steps, definition}, names) => el("ol.bars", steps.map((step, i) => {
    const required = definition.steps.slice(0, i).findLastIndex((one) => !one.optional), own = step.of_first ?? 0;
    const before = i ? steps[required].of_first ?? 0 : 1, times = step.from_previous_ms, {optional} = definition.steps[i];
    const lost = step.dropped ? link(usersOf(step.index, true), `${count(step.dropped)} lost`) : "nobody lost";
    const words = `${counted(step.count, noun())}, ${percent(step.of_first)}`;
    return el("li", heading([`${i + 1} `, bdi(names[i])], step.of_first, step.count, i > 0 && between(step.of_first_ci95)),
    button(`bar-${i}`, [filled(own), !optional && filled(Math.max(0, before - own), "lost")],
        `Step ${i + 1}, ${clean(names[i])}: ${words}. Show them`, () => go(usersOf(step.index, false)), false, "bar"),
    i > 0 && el("div.soft under", !optional && [lost, times && ", "], times && [
        `${percent(step.of_previous)} of step ${required + 1}, half within ${time(times.p50)}, 9 of 10 within ${time(times.p90)}`,
    ]));
}));
const funnel = (result) => {
    const {overall, steps, groups: list, definition} = result;
    const names = definition.steps.map(({name, filter, optional}, i, {length}) => definition.order === "any"
        ? `any ${i + 1} of ${length}` : name + (filter ? `[${filter}]` : "") + (optional ? "?" : ""));
    const loss = steps.reduce((worst, step) => step.dropped > (worst?.dropped ?? 0) ? step : worst, null);
    const half = overall.time_ms ? `, half of them within ${time(overall.time_ms.p50)}` : "";
    const range = overall.rate_ci95 ? ` (95 %: ${between(overall.rate_ci95)})` : "";
    const words = nothing(result) || `${ofThose(overall)} converted${range}${half}.`;
    const against = ({versus_rest: rest}) => rest?.difference == null ? "–"
        : `${rest.difference > 0 ? "+" : ""}${tenths(rest.difference)} points`;
    return {say: `${about()}${percent(overall.rate)}. ${words}`, nodes: [
        headline(overall.rate),
        el("p", words, " ", loss && ["Most are lost at step ", loss.index, ", ", bdi(names[loss.index - 1]), ": ",
            link(usersOf(loss.index, true), count(loss.dropped)), "."]),
        unripe(definition), bars(result, names), says(list.map(({claim}) => claim)),
        list[0] && table("Groups",
            ["Group", ...steps.map((step) => `Step ${step.index}`), "Converts", "95 %", "Against the rest, crude"],
            list.map((group) => [bdi(group.value), ...group.steps.map((step) => count(step.count)), percent(group.overall.rate),
                between(group.overall.rate_ci95), against(group)])),
        el("section", {id: "differs", "aria-label": "Where it differs"}),
    ]};
};
// The claims that hold, else why none does.
const says = (all) => {
    const claims = all.filter(Boolean), held = claims.filter(({holds}) => holds);
    const [silent] = claims.filter((claim) => !claim.refused && !isSaidElsewhere(claim)).sort((a, b) => b.detectable - a.detectable);
    const refused = claims.find(({sentence}) => sentence.endsWith(FEW)) ?? (!silent && claims[0]);
    return (held.length ? held : [silent, refused].filter(Boolean)).map((claim) => said(claim, bdi(claim.sentence)));
};
const said = (claim, ...inside) => el("p", {class: claim.holds ? "claim" : "soft"}, ...inside);
// Unpacks columns while nobody asks.
const ahead = () => {
    const one = [...data.props, ...data.session].find(({codes}) => !codes);
    if (one && data.codes(one)) search = setTimeout(ahead);
};
// Looks at properties with few values one at a time: a change drops what is left.
const differs = () => {
    if (!answer.result.definition || view() !== "funnel" || asked.has("breakdown")) return;
    const node = byId("differs");
    const why = asked.get("order") === "any" ? "any order has none" : asked.get("count") === "users" && "count=users leaves them out";
    if (why) return node.append(el("p.soft", `Where it differs is searched among visits: ${why}.`));
    const isSmall = ({values, ranges, folded}) => values.length + ranges.length + folded <= 50;
    const left = pathsOf(":", isSmall), questions = [];
    const next = () => {
        const path = left.shift();
        if (path === undefined) {
            const found = findings(questions).slice(0, 3);
            search = setTimeout(ahead);
            return node.replaceChildren(el("h2", "Where it differs"), ...found.map(({path: own, sentence}) =>
                el("p.claim", link(also(["breakdown", own]), bdi(own)), ": ", bdi(sentence))),
            el("p.soft", !found.length && "No difference holds. ", `Properties searched among visits: ${count(questions.length)}.`));
        }
        const one = questionOf(data, asked, path);
        if (one) questions.push(one);
        return search = setTimeout(next);
    };
    return next;
};
const trend = (result) => {
    const {points, overall, marks, definition, verdict} = result, calendar = new Calendar(data, result.every), h = 220;
    // As wide as its place: texts keep their size.
    const w = Math.max(300, Math.min(720, innerWidth - 80)), groups = new Map();
    for (const p of points) for (const one of p.groups) entry(groups, one.value).push([p, one]);
    const entered = ([, list]) => sum(list, ([, one]) => one.entered);
    // The largest of the whole time: each period has its own.
    const largest = [...groups].sort((a, b) => entered(b) - entered(a)).slice(0, asked.get("top") ?? 10);
    const heads = ["Period", "Entered", "Converted", "Converts", "95 %"], cells = ([p, one]) => [
        calendar.label(p.start_ms) + (p.complete ? "" : " (not complete)"), count(one.entered), count(one.converted), percent(one.rate),
        between(one.rate_ci95),
    ];
    const top = points.reduce((most, p) => Math.max(most, p.rate_ci95?.[1] ?? p.rate ?? 0), 0.01);
    const x = (i) => 56 + i * (w - 76) / Math.max(points.length - 1, 1), y = (v) => h - 24 - v / top * (h - 44);
    const shown = points.map((p, i) => ({...p, i})).filter((p) => p.rate !== null), complete = shown.filter((p) => p.complete);
    const line = (list, of = (p) => p.rate) => list.map((p) => `${x(p.i).toFixed(1)},${y(of(p)).toFixed(1)}`).join(" ");
    // A period without data is a gap.
    const runs = (list) => {
        const all = new Map();
        list.forEach((p, n) => entry(all, p.i - n).push(p));
        return [...all.values()];
    };
    const band = (list) => `${line(list, (p) => p.rate_ci95[1])} ${line(list.toReversed(), (p) => p.rate_ci95[0])}`;
    const say = nothing(result) || `${about()}${percent(overall.rate)} over the whole time: ${ofThose(overall)}.`;
    const label = (i, attributes) => svg("text", {y: h - 4, ...attributes}, calendar.label(points.at(i).start_ms));
    return {say, nodes: [headline(overall.rate), el("p", say), unripe(definition),
        verdict && said(verdict, verdict.sentence), marks.map(({claim, label: name}) => said(claim, bdi(name), ": ", claim.sentence)),
        svg("svg", {viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": "Share by time of entry"}, [0, top / 2, top].map((v) => [
            svg("line.grid", {x1: 56, x2: w - 20, y1: y(v), y2: y(v)}), svg("text", {x: 0, y: y(v) + 4}, percent(v)),
        ]), runs(complete.filter((p) => p.rate_ci95)).map((list) => svg("polygon.band", {points: band(list)})),
        [[shown, " open"], [complete, ""]].map(([all, kind]) => runs(all).map((list) => svg(`polyline.line${kind}`, {points: line(list)}))),
        points.map((p, i) => marks.some(({ms}) => ms === p.start_ms) && svg("line.mark", {x1: x(i), x2: x(i), y1: 8, y2: h - 24})),
        shown.map((p) => svg("circle", {cx: x(p.i), cy: y(p.rate), r: 3.5, class: p.complete ? "dot" : "dot open"})),
        points[0] && [label(0, {x: 56}), label(-1, {x: w - 20, "text-anchor": "end"})]),
        table("By time of entry", [...heads, "Median time"], points.map((p) => [...cells([p, p]), time(p.time_ms?.p50)])),
        largest.map(([value, list]) => el("section", el("h3", bdi(value)), table("By time of entry", heads, list.map(cells))))]};
};
const retention = (result) => {
    const {every: period, periods} = result.definition, calendar = new Calendar(data, period);
    const shade = (share) => share === null ? "–" : el("span.shade", {style: `--share: ${Math.round(share * 70)}%`}, percent(share));
    const grid = (caption, {cohorts, average}) => table(caption, ["Cohort", "Size", ...average.keys()], [
        ...cohorts.map(({start_ms: start, size, retained}) => [calendar.label(start), count(size),
            ...retained.map((n) => shade(n === null || !size ? null : n / size))]),
        ["average", "", ...average.map(shade)],
    ]);
    const [same, later] = result.average;
    const say = !result.cohorts.length ? "Nothing matched the start."
        : later != null ? `On average ${about()}${percent(later)} come back in the ${period} after their first.`
        : same === null ? `No ${period} is complete yet.`
        : `${about()}${percent(same)} come back in the ${period} of their first${periods ? "; no later one is complete" : ""}.`;
    return {say, nodes: [el("p", say), grid(`Who comes back, by the ${period} of the first start`, result),
        result.groups.map((group) => el("section", el("h3", bdi(group.value)), grid("Who comes back", group)))]};
};
const tree = (nodes, key) => nodes[0] && el("ul.tree", nodes.map((node) => {
    const name = node.kind === "event" ? link(also([key === "next" ? "from" : "to", node.name]), bdi(node.name)) : node.name;
    const half = node.from_previous_ms ? `, half within ${time(node.from_previous_ms.p50)}` : "";
    return el("li", heading(name, node.of_starts, node.count, `${percent(node.of_previous)} of those before${half}`),
        el("div.bar thin", {"aria-hidden": "true"}, filled(node.of_starts)), tree(node[key], key));
}));
const follow = (result) => {
    const key = result.next ? "next" : "previous", starts = asked.get("count") === "attempts" ? "start" : noun();
    const say = `${counted(result.starts, starts)}.${head.sample ? " The shares are about those of all." : ""}`;
    return {say, nodes: [el("p", say), besides(result.window_open, `of those that ${
        result.next ? `ended ${STILL}` : "began there had a window from before the data"}`), tree(result[key], key)]};
};
const people = ({users}) => {
    const one = keyNoun(), did = users.dropped ? "dropped out before" : "took";
    const say = `${counted(users.count, noun())} ${did} step ${users.step}.`, isCut = users.keys[199] && users.count > 200;
    const of = (key) => new Map([...pairsOf((one) => VIEWS.user.includes(one)), ["view", "user"], ["user", `${key}`]]);
    return {say, nodes: [el("p", say, isCut && ` The first 200 ${one}s are listed.`),
        el("ul.keys", users.keys.map((key) => el("li", link(of(key),
            head.ids && one === "user" ? bdi(head.ids[key - 1]) : `${one} ${key}`))))]};
};
const person = ({user}) => {
    const name = `${keyNoun()} ${user.key}`, say = `${counted(user.events.length, "event")} of ${name}.`;
    const cut = user.events[2000] && el("p", "The first 2,000 are listed.");
    return {say, nodes: [el("h2", user.id ? bdi(user.id) : name), cut, table(say, ["Time (UTC)", "Event", "Session", "Properties"],
        user.events.slice(0, 2000).map((event) => [el("time", momentText(event.t_ms)), bdi(event.name), event.session ?? "–",
            commas(Object.entries(event.props).map(([key, value]) => `${key}=${value}`))]))]};
};
const shown = {funnel, trend, retention, paths: follow, users: people, user: person};

// MARK: Page

const copy = (id, text, what) => button(id, text, null, async () => {
    let said = "Copied";
    try {
        await navigator.clipboard.writeText(what());
    } catch {
        const line = byId("command");
        line.textContent = what();
        getSelection().selectAllChildren(line);
        said = "Selected above, to be copied";
    }
    for (const one of [id, "live"]) byId(one).textContent = said;
});
const tabs = new Map();
const KEPT = FUNNEL.filter((key) => !/^(mature|include-open)$/.test(key));
// Links to the last question of each tab, with what both ask.
const views = () => {
    const steps = asked.get("steps") ?? new Map(tabs.get("funnel")).get("steps");
    const name = stepsOf(steps)?.[0].names?.[0] ?? head.names[0] ?? "", text = nameText(name);
    const first = {retention: [["start", text], ["return", text]], paths: [["from", name]]};
    const here = /^(trend|retention|paths)$/.test(view()) ? view() : "funnel";
    return ["Funnel", "Trend", "Retention", "Paths"].map((title) => {
        const tab = title.toLowerCase(), areSteps = !first[tab] && !first[here];
        const keys = !asked.size || areSteps && !asked.has("steps") ? [] : tab === here ? VIEWS[tab] : areSteps ? KEPT : COMMON;
        const own = [...tabs.get(tab) ?? first[tab] ?? standard()].filter(([key]) => !keys.includes(key));
        const ask = [...own, ...pairsOf((key) => keys.includes(key))];
        if (areSteps || tab === here) tabs.set(tab, ask);
        return el("li", el("a", {
            href: `#${spell(new Map(tab === "funnel" ? ask : [["view", tab], ...ask]))}`, "aria-current": view() === tab && "page",
        }, title));
    });
};
const commas = (list) => list.map((one, i) => [i ? ", " : "", bdi(one)]);
// A name that nothing has may be misspelt.
const unseen = ({definition}) => {
    const texts = ["steps", "start", "return", "exclude"].flatMap((key) => asked.get(key) ?? []);
    const patterns = texts.flatMap((text) => stepsOf(text.replace(/^!|@[\d-]+$/g, "")) ?? []);
    const known = [...head.names, ...pathsOf(":")], unknown = [
        ...patterns.flatMap(({names, tests}) => [...names ?? [], ...tests.map((one) => pathText(one.path, one.source, ":"))]),
        asked.get("from"), asked.get("to"), definition?.breakdown?.replace(/:[^:]*$/, ""),
    ].filter((text) => text && !known.includes(text));
    return definition && unknown[0] && el("p.note", "Nothing here has the name ", commas([...new Set(unknown)]), ".");
};
const footer = () => {
    const {input: read, left_out: left} = head;
    return el("footer", el("p", `${counted(head.events, "event")} of ${counted(head.users, "user")} in `,
        counted(head.sessions, "session"), ", from ", bdi(head.source), `. Days are those of ${head.tz}. `,
        head.ids ? "The users' ids are in this file." : "Users are numbers here.",
        " Who knows when a person did something can find that person's line."),
    head.k > 1 && el("p", `A value that fewer than ${head.k} users have is not in this file: it counts as (other), `,
        "or lies in a range of numbers."),
    left[0] && el("p", "Not in this file: ",
        commas(left.map((one) => pathText(one.path.length ? one.path : ["…"], one.session ? "session" : "event"))), "."),
    el("p", `Read: ${counted(read.events, "event")} in ${counted(read.files, "file")}, ${counted(read.duplicates, "duplicate")}, `,
        `${counted(read.bad_lines, "bad line")}, ${counted(read.damaged_members, "damaged place")}.`));
};
const message = (title, text, more) => el("div.message", el("h2", title), el("p", clean(text, 600)), more);
// What is shown, and what is said of it aloud.
const content = (result) => {
    const {wrong, refused} = result;
    if (wrong) return {say: wrong, nodes: message("That cannot be read", wrong)};
    if (!refused) return shown[view()](result);
    const why = `${clean(refused.what)}: ${refused.why}. As a command:`, line = el("pre", el("code", refused.command));
    return {say: refused.why, nodes: message("This page does not count that", why, line)};
};
const draw = () => {
    const {say, nodes} = content(answer.result), {sample} = head, line = command(data, asked);
    const focused = document.activeElement, fresh = app.cloneNode();
    const title = bdi(asked.get("steps") ?? asked.get("start") ?? asked.get("from") ?? asked.get("to") ?? view());
    fresh.append(el("a.skip", {href: "#answer", onclick: toAnswer}, "Skip to the answer"),
        el("header", el("h1", "Explore"), el("nav", {"aria-label": "Questions"}, el("ul", views()))),
        el("main", view() !== "user" && el("details", {id: "ask", open: wide.matches || byId("ask")?.open},
            el("summary", "Question: ", title), question()),
            el("section", {id: "answer", tabindex: -1, "aria-label": "Answer"},
                sample && el("p.note", `A sample of ${+(sample.share * 100).toPrecision(2)} % of the users: `,
                    `${count(sample.users)} of ${count(sample.of_users)}.`),
                head.cut && el("p.note", "Some users only: ", [["only_users", "those of "], ["not_users", "none of "]].map(([key, words]) =>
                    head[key] && [words, bdi(head[key]), ". "])), unseen(answer.result), nodes,
                el("div.copy", el("pre", {id: "command"}, el("code", line)), copy("copy-command", "Copy as command", () => line),
                    copy("copy-link", "Copy link", () => `${location.href.split("#")[0]}#${spell(asked)}`)))),
        footer());
    become(app, fresh);
    byId("live").textContent = say;
    clearTimeout(search);
    search = setTimeout(differs() ?? ahead, 250);
    if (focused?.isConnected === false) toAnswer();
};
const saved = (one) => new Map(Object.entries(one.ask).filter(([, value]) => value?.length));
const mostUsed = () => {
    const users = uints(head.names.length);
    for (let user = 1; user <= head.users; user++) {
        for (const name of new Set(data.names.subarray(data.starts[user], data.starts[user + 1]))) users[name]++;
    }
    return [...users.keys()].sort((a, b) => users[b] - users[a]).slice(0, 5);
};
// What an empty address asks: what the page was made with, or the commonest names.
const standard = () => {
    if (head.steps) return new Map([["steps", head.steps]]);
    if (head.funnels.length) return saved(head.funnels[0]);
    most ??= mostUsed();
    return new Map(most.length ? [["steps", most.map((name) => nameText(head.names[name])).join(" > ")]] : []);
};
const tell = (result, state) => {
    byId("result").textContent = JSON.stringify(result);
    dataset.state = state;
};
const broken = (text) => {
    app.replaceChildren(el("main", message("This page cannot be shown", text)));
    byId("live").textContent = text;
    tell({wrong: text}, "broken");
};
const run = () => {
    waiting = clearTimeout(waiting);
    dataset.state = "busy";
    const began = performance.now(), fragment = location.hash.slice(1);
    try {
        answer = head.events ? ask(data, fragment || standard())
            : {asked: new Map(), result: {wrong: "There are no events in this page."}};
        asked = answer.asked;
        draw();
    } catch (error) {
        return broken(error.message);
    }
    tell(answer.result, ["refused", "wrong"].find((key) => answer.result[key]) ?? "ready");
    dataset.asked = fragment;
    dataset.ms = (performance.now() - began).toFixed(1);
    dataset.first ??= performance.now().toFixed(0);
};
const start = async () => {
    document.body.append(el("p", {id: "live", class: "unseen", role: "status", "aria-live": "polite"}));
    if (!window.DecompressionStream) return broken("This browser has no DecompressionStream. Take a newer one.");
    try {
        const column = async (node) => [node.id.slice(2), new Uint8Array(await unpacked(node).arrayBuffer())];
        const columns = new Map(await Promise.all([...document.querySelectorAll('script[id^="c-"]')].map(column)));
        head = JSON.parse(new TextDecoder().decode(columns.get("head")));
        data = new Data(head, (name) => {
            const bytes = columns.get(name);
            if (!bytes) damaged(`the column ${name} is missing`);
            columns.delete(name);
            return bytes;
        });
    } catch (error) {
        return broken(`The page's data are damaged or of another version: ${error.message}.`);
    }
    window.onhashchange = () => { if (dataset.asked !== location.hash.slice(1)) soon(); };
    window.onpointerdown = ({target}) => { isPressed = !target.closest("select"); };
    window.onpointerup = window.onpointercancel = () => {
        isPressed = false;
        if (waiting) run();
    };
    window.onerror = (...all) => broken(all[4].message);
    // Where its summary line is hidden, the question is open.
    wide.onchange = () => { if (wide.matches) byId("ask")?.setAttribute("open", ""); };
    return run();
};
window.addEventListener("DOMContentLoaded", start);
})();
