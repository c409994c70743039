"use strict";
// The page around the engine: its question is the address, its answer stands in the page and, as the command's JSON, in #result.
(() => {
    const root = document.documentElement, app = document.getElementById("app");
    let data = null, head = null, asked = new Map(), answer = null, search = null;

    // MARK: Text

    // What acts or turns the direction of a text is written out; long texts are cut.
    const clean = (text) => {
        const shown = [...text].map((c) => /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(c) && c !== "\u200d" && c !== "\u200c"
            ? `\u2039${Explore.codePoint(c)}\u203a` : c);
        return shown.length > 120 ? `${shown.slice(0, 119).join("")}…` : shown.join("");
    };
    const element = (space) => (name, attributes = {}, ...inside) => {
        const node = document.createElementNS(space, name), isThere = (one) => one !== null && one !== undefined && one !== false;
        for (const [key, value] of Object.entries(attributes)) {
            if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
            else if (isThere(value)) node.setAttribute(key, value === true ? "" : value);
        }
        node.append(...inside.flat(9).filter(isThere));
        return node;
    };
    const el = element("http://www.w3.org/1999/xhtml"), svg = element("http://www.w3.org/2000/svg");
    const bdi = (text) => el("bdi", {dir: "auto"}, clean(text));
    const whole = new Intl.NumberFormat("en-US");
    const count = (n) => whole.format(n);
    const percent = (share) => share === null || share === undefined ? "–" : `${(Math.round(share * 1000) / 10).toFixed(1)} %`;
    const between = (ci) => ci ? `${(ci[0] * 100).toFixed(1)}–${(ci[1] * 100).toFixed(1)} %` : "–";
    const time = (ms) => {
        if (ms === null || ms === undefined) return "–";
        const units = [[86400000, "d"], [3600000, "h"], [60000, "m"], [1000, "s"]];
        const [size, unit] = units.find(([size]) => ms >= size) ?? [1, "ms"], next = units[units.findIndex(([s]) => s === size) + 1];
        const main = Math.floor(ms / size), rest = next ? Math.round((ms - main * size) / next[0]) : 0;
        return size <= 1000 ? `${(ms / size).toFixed(size === 1000 && ms < 10000 ? 1 : 0)} ${unit}` : `${main} ${unit}${rest ? ` ${rest} ${next[1]}` : ""}`;
    };
    const moment = (ms) => {
        try {
            return new Date(ms).toISOString().replace("T", " ").replace(/\.000Z$|Z$/, "");
        } catch {
            return `${ms} ms`;
        }
    };
    const link = (ask, ...inside) => el("a", {href: `#${Explore.spell(ask)}`}, ...inside);
    const table = (caption, heads, rows) => el("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": caption}, el("table", {},
        el("caption", {}, caption), el("thead", {}, el("tr", {}, heads.map((text, i) => el("th", {scope: "col", class: i ? "number" : null}, text)))),
        el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, i) =>
            i ? el("td", {class: "number"}, cell) : el("th", {scope: "row"}, cell)))))));

    // MARK: Question

    const go = (ask) => {
        const text = Explore.spell(ask);
        if (`#${text}` === location.hash) run();
        else location.hash = text;
    };
    const change = (key, value) => {
        const next = new Map(asked);
        if (value === "" || value === null || value === false || value?.length === 0) next.delete(key);
        else next.set(key, value === true ? "true" : value);
        go(next);
    };
    const field = (key, label, attributes = {}) => el("label", {class: attributes.class ?? null}, el("span", {}, label),
        el("input", {id: `q-${key}`, value: asked.get(key) ?? "", autocomplete: "off", spellcheck: "false", ...attributes,
            onchange: (event) => change(key, event.target.value.trim())}));
    const choice = (key, label, words, standard) => el("label", {}, el("span", {}, label), el("select", {
        id: `q-${key}`, onchange: (event) => change(key, event.target.value === standard ? "" : event.target.value),
    }, words.map(([word, text]) => el("option", {value: word, selected: (asked.get(key) ?? standard) === word}, text))));
    const tick = (key, label) => el("label", {class: "tick"}, el("input", {
        id: `q-${key}`, type: "checkbox", checked: asked.get(key) === "true", onchange: (event) => change(key, event.target.checked),
    }), label);
    const button = (id, text, name, act, disabled = false) => el("button", {id, type: "button", "aria-label": name, disabled, onclick: act}, text);
    const paths = () => [...data.props.map((one) => Explore.pathText(one.path, "event")), ...data.session.map((one) => Explore.pathText(one.path, "session"))];

    // The steps that are asked for; null where they cannot be read.
    const stepsOf = (text) => {
        try {
            return new Explore.Grammar(text ?? "", "steps").steps();
        } catch {
            return null;
        }
    };
    const stepList = () => {
        const list = stepsOf(asked.get("steps"));
        if (!list) return null;
        const put = (next) => change("steps", next.map(Explore.stepText).join(" > "));
        return el("ol", {class: "steps"}, list.map((step, i) => {
            const several = step.names !== null && step.names.length !== 1, filter = step.tests.length ? Explore.stepText({...step, names: null, optional: false}).slice(2, -1) : "";
            const swap = (other) => {
                const next = [...list];
                [next[i], next[other]] = [next[other], next[i]];
                next[0] = {...next[0], optional: false};
                put(next);
            };
            return el("li", {},
                el("select", {id: `s${i}-name`, "aria-label": `Event of step ${i + 1}`, onchange: (event) => {
                    const {value} = event.target;
                    if (value === "several") return;
                    put(list.with(i, {...step, names: value === "any" ? null : [head.names[Number(value)]]}));
                }}, several ? el("option", {value: "several", selected: true}, clean(step.names.join(" | "))) : null,
                el("option", {value: "any", selected: step.names === null}, "any event"),
                step.names?.length === 1 && !head.names.includes(step.names[0]) ? el("option", {value: "several", selected: true}, `${clean(step.names[0])} (never)`) : null,
                head.names.map((name, n) => el("option", {value: n, selected: step.names?.length === 1 && step.names[0] === name}, clean(name)))),
                el("input", {id: `s${i}-filter`, "aria-label": `Filter of step ${i + 1}`, placeholder: "price>=10", value: filter, list: "paths",
                    spellcheck: "false", onchange: (event) => {
                        const text = event.target.value.trim(), base = Explore.stepText({...step, tests: [], optional: false});
                        const texts = list.map(Explore.stepText);
                        texts[i] = `${base}${text ? `[${text}]` : ""}${step.optional ? "?" : ""}`;
                        change("steps", texts.join(" > "));
                    }}),
                el("span", {class: "tools"},
                    i ? el("label", {class: "tick"}, el("input", {id: `s${i}-optional`, type: "checkbox", checked: step.optional,
                        "aria-label": `Step ${i + 1} may be skipped`, onchange: () => put(list.with(i, {...step, optional: !step.optional}))}), "optional") : null,
                    button(`s${i}-up`, "↑", `Move step ${i + 1} up`, () => swap(i - 1), i === 0),
                    button(`s${i}-down`, "↓", `Move step ${i + 1} down`, () => swap(i + 1), i === list.length - 1),
                    button(`s${i}-remove`, "×", `Remove step ${i + 1}`, () => put(list.filter((_, k) => k !== i)), list.length === 1)));
        }), el("li", {class: "more"}, button("s-add", "Add a step", "Add a step", () => {
            const used = list.flatMap((step) => step.names ?? []), name = head.names.find((one) => !used.includes(one)) ?? head.names[0];
            put([...list, {names: [name], tests: [], optional: false}]);
        }, list.length >= 30)));
    };
    const exclusions = () => {
        const list = asked.get("exclude") ?? [];
        return el("fieldset", {}, el("legend", {}, "Excluded events"), list.map((text, i) => el("div", {class: "row"},
            el("input", {id: `x${i}`, "aria-label": `Excluded event ${i + 1}`, value: text, spellcheck: "false",
                onchange: (event) => change("exclude", event.target.value.trim() ? list.with(i, event.target.value.trim()) : list.filter((_, k) => k !== i))}),
            button(`x${i}-remove`, "×", `Remove excluded event ${i + 1}`, () => change("exclude", list.filter((_, k) => k !== i))))),
        el("input", {id: `x${list.length}`, "aria-label": "Exclude an event", placeholder: "!cart_cleared@1-2", spellcheck: "false",
            onchange: (event) => { if (event.target.value.trim()) change("exclude", [...list, event.target.value.trim()]); }}));
    };
    const view = () => asked.get("view") ?? "funnel";
    const common = () => [
        choice("by", "Count", [["user", "users"], ["session", "sessions"]], "user"),
        field("since", "Starts since", {placeholder: "2026-01-15"}), field("until", "Starts before", {placeholder: "2026-01-22"}),
    ];
    const groups = () => [
        field("breakdown", "Groups by", {list: "paths", placeholder: "session.platform"}), asked.has("breakdown") ? field("top", "Groups shown", {placeholder: "10", inputmode: "numeric"}) : null,
    ];
    // Where shares are compared, visits are counted unless somebody says otherwise.
    const counted = () => choice("count", "Shares of", [["users", asked.get("by") === "session" ? "sessions" : "users"], ["visits", "visits"]], answer.result.definition?.count ?? "users");
    const question = () => {
        const kind = view(), isFunnel = ["funnel", "trend", "users", "user"].includes(kind);
        const names = el("datalist", {id: "names"}, head.names.map((name) => el("option", {value: Explore.nameText(name)})));
        const fields = isFunnel ? [
            stepList(),
            el("label", {class: "wide"}, el("span", {}, "Steps as text"), el("textarea", {id: "q-steps", rows: 2, spellcheck: "false",
                onchange: (event) => change("steps", event.target.value.trim())}, asked.get("steps") ?? "")),
            head.funnels.length ? el("label", {class: "wide"}, el("span", {}, "Saved funnels"), el("select", {id: "q-saved", onchange: (event) => {
                if (event.target.value !== "") go(saved(head.funnels[event.target.value]));
            }}, el("option", {value: ""}, "choose …"), head.funnels.map((one, i) => el("option", {value: i}, clean(one.name ?? one.ask.steps))))) : null,
            el("div", {class: "fields"}, field("window", "Within", {placeholder: "7d"}),
                choice("order", "Order", [["ordered", "in order"], ["strict", "nothing between"], ["any", "any order"]], "ordered"),
                asked.get("order") === "any" ? null : field("step-window", "From step to step", {placeholder: "no limit"}),
                kind === "trend" ? choice("every", "Every", [["hour", "hour"], ["day", "day"], ["week", "week"], ["month", "month"]], "day") : null,
                counted(), common(), groups()),
            kind === "trend" ? tick("include-open", "also starts whose time has not ended") : tick("mature", "only starts whose time has ended"),
            exclusions(),
        ] : kind === "retention" ? el("div", {class: "fields"},
            field("start", "Starts with", {list: "names", class: "wide"}), field("return", "Comes back with", {list: "names", class: "wide"}),
            choice("every", "Every", [["day", "day"], ["week", "week"], ["month", "month"]], "day"), field("periods", "Periods", {placeholder: "7", inputmode: "numeric"}),
            common(), groups())
            : el("div", {class: "fields"},
                el("label", {class: "wide"}, el("span", {}, asked.has("to") ? "What came before" : "What comes after"), el("select", {id: "q-name",
                    onchange: (event) => change(asked.has("to") ? "to" : "from", head.names[Number(event.target.value)])},
                head.names.map((name, i) => el("option", {value: i, selected: (asked.get("from") ?? asked.get("to")) === name}, clean(name))))),
                button("q-turn", asked.has("to") ? "Show what comes after" : "Show what came before", "Turn the direction", () => go(new Map([...asked].map(([key, value]) =>
                    key === "to" ? ["from", value] : key === "from" ? ["to", value] : [key, value])))),
                field("window", "Within", {placeholder: "1d"}), field("depth", "Depth", {placeholder: "3", inputmode: "numeric"}),
                choice("count", "Starts", [["users", "each first"], ["attempts", "each one"]], "users"), tick("merge-repeats", "pass over repeats"),
                field("min-share", "At least", {placeholder: "1%"}), common());
        return el("form", {id: "question", "aria-label": "Question", onsubmit: (event) => event.preventDefault()}, fields, names,
            el("datalist", {id: "paths"}, paths().map((path) => el("option", {value: path}))));
    };

    // MARK: Answers

    const noun = () => answer.result.definition?.count === "visits" ? "visits" : asked.get("by") === "session" ? "sessions" : "users";
    // The list behind a bar counts what the bar counts.
    const usersOf = (step, isDropped) => new Map([["view", "users"],
        ...[...asked].filter(([key]) => !["view", "step", "dropped", "every", "include-open", "user", "count"].includes(key)),
        ...answer.result.definition.count === "visits" ? [["count", "visits"]] : [], ["step", String(step)], ...isDropped ? [["dropped", "true"]] : []]);
    const keyNoun = () => asked.get("by") === "session" ? "session" : "user";
    const about = () => head.sample ? "about " : "";
    const titles = (result) => result.definition.steps.map((step) => step.name + (step.filter ? `[${step.filter}]` : "") + (step.optional ? "?" : ""));
    const bars = (result) => {
        const names = titles(result);
        return el("ol", {class: "bars"}, result.steps.map((step, i) => {
            const required = result.definition.steps.slice(0, i).findLastIndex((one) => !one.optional), before = i ? result.steps[Math.max(required, 0)].of_first ?? 0 : 1;
            const filled = el("i", {class: "fill"}), lost = el("i", {class: "lost"});
            filled.style.width = `${100 * (step.of_first ?? 0)}%`;
            lost.style.width = `${100 * Math.max(0, before - (step.of_first ?? 0))}%`;
            const words = `${count(step.count)} ${noun()}, ${percent(step.of_first)}`;
            return el("li", {}, el("div", {class: "head"}, el("span", {class: "name"}, `${i + 1} `, bdi(names[i])),
                el("span", {class: "figures"}, el("b", {}, percent(step.of_first)), ` ${count(step.count)}`,
                    i ? el("span", {class: "soft"}, ` ${between(step.of_first_ci95)}`) : null)),
            el("button", {id: `bar-${i}`, type: "button", class: "bar", "aria-label": `Step ${i + 1}, ${clean(names[i])}: ${words}. Show them`,
                onclick: () => go(usersOf(step.index, false))}, filled, result.definition.steps[i].optional ? null : lost),
            i ? el("div", {class: "soft under"}, step.dropped ? link(usersOf(step.index, true), `${count(step.dropped)} lost`) : "nobody lost",
                step.from_previous_ms ? `, ${percent(step.of_previous)} of those before, half within ${time(step.from_previous_ms.p50)}, 9 of 10 within ${time(step.from_previous_ms.p90)}` : "") : null);
        }));
    };
    const funnel = (result) => {
        const {overall, steps, groups: list} = result, loss = steps.reduce((worst, step) => step.dropped > (worst?.dropped ?? 0) ? step : worst, null), names = titles(result);
        const half = overall.time_ms ? `, half of them within ${time(overall.time_ms.p50)}` : "";
        const words = overall.entered === 0 ? "Nothing matched step 1."
            : `${count(overall.converted)} of ${count(overall.entered)} ${noun()} convert${overall.rate_ci95 && !(head.sample && noun() === "sessions") ? ` (95 %: ${between(overall.rate_ci95)})` : ""}${half}.`;
        return {say: `${about()}${percent(overall.rate)}. ${words}`, nodes: [
            el("p", {class: "large"}, about(), percent(overall.rate)), el("p", {}, words, " ",
                loss ? ["Most are lost at step ", loss.index, ", ", bdi(names[loss.index - 1]), ": ", link(usersOf(loss.index, true), count(loss.dropped)), "."] : null),
            result.window_open ? el("p", {class: "soft"}, `${count(result.window_open)} that did not convert still had time when the data ended.`) : null,
            bars(result),
            says(list.map((group) => group.claim).filter((claim) => claim)),
            list.length ? table("Groups", ["Group", ...steps.map((step) => `Step ${step.index}`), "Converts", "95 %", "Against the rest, crude"], list.map((group) => [
                bdi(group.value), ...group.steps.map((step) => count(step.count)), percent(group.overall.rate), between(group.overall.rate_ci95),
                group.versus_rest?.difference == null ? "–" : `${group.versus_rest.difference < 0 ? "−" : "+"}${Math.abs(group.versus_rest.difference * 100).toFixed(1)} points`,
            ])) : null,
            el("section", {id: "differs", "aria-label": "Where it differs"}),
        ]};
    };
    // The claims that hold; if none does, why, or what these visits could show.
    const says = (claims) => {
        const held = claims.filter((claim) => claim.holds), shown = held.length ? held : [...claims].sort((a, b) => (a.detectable ?? Infinity) - (b.detectable ?? Infinity)).slice(0, 1);
        return shown.map((claim) => el("p", {class: claim.holds ? "claim" : "soft"}, bdi(claim.sentence)));
    };
    // Looks at each property with few values, one at a time: a change drops what is left.
    const differs = () => {
        clearTimeout(search);
        if (!answer.result.definition || view() !== "funnel" || asked.has("breakdown") || asked.get("count") === "users" || asked.get("order") === "any") return;
        const isSmall = (one) => one.values.length + one.ranges.length + (one.folded ? 1 : 0) <= 50, node = document.getElementById("differs");
        const left = [...data.props.filter(isSmall).map((one) => Explore.pathText(one.path, "event", ":")),
            ...data.session.filter(isSmall).map((one) => Explore.pathText(one.path, "session", ":"))], questions = [];
        const next = () => {
            const path = left.shift();
            if (path === undefined) {
                const found = Explore.findings(questions).slice(0, 3);
                return node.replaceChildren(el("h2", {}, "Where it differs"), ...found.map(({path: own, sentence}) =>
                    el("p", {class: "claim"}, link(new Map([...asked, ["breakdown", own]]), bdi(own)), ": ", bdi(sentence))),
                el("p", {class: "soft"}, `${found.length ? "" : "No difference holds. "}${count(questions.length)} ${questions.length === 1 ? "property" : "properties"} searched, visits compared.`));
            }
            const one = Explore.questionOf(data, asked, path);
            if (one) questions.push(one);
            return search = setTimeout(next, 0);
        };
        search = setTimeout(next, 250);
    };
    const trend = (result) => {
        const {points} = result, calendar = new Explore.Calendar(data, result.every), w = 720, h = 220, top = Math.max(0.01, ...points.map((p) => p.rate_ci95?.[1] ?? 0));
        const x = (i) => 40 + (points.length < 2 ? 0 : i * (w - 60) / (points.length - 1)), y = (v) => h - 24 - v / top * (h - 44);
        const shown = points.map((p, i) => ({...p, i})).filter((p) => p.rate !== null);
        const line = (list) => list.map((p) => `${x(p.i).toFixed(1)},${y(p.rate).toFixed(1)}`).join(" ");
        const complete = shown.filter((p) => p.complete);
        const band = complete.map((p) => `${x(p.i).toFixed(1)},${y(p.rate_ci95[1]).toFixed(1)}`).concat([...complete].reverse().map((p) => `${x(p.i).toFixed(1)},${y(p.rate_ci95[0]).toFixed(1)}`)).join(" ");
        const say = `${percent(result.overall.rate)} over the whole time: ${count(result.overall.converted)} of ${count(result.overall.entered)} ${noun()}.`;
        const at = (ms) => points.findIndex((point) => point.start_ms === ms);
        return {say, nodes: [el("p", {class: "large"}, about(), percent(result.overall.rate)), el("p", {}, say), result.verdict ? says([result.verdict]) : null,
            result.marks.map((mark) => el("p", {class: mark.claim.holds ? "claim" : "soft"}, bdi(mark.label), ": ", mark.claim.sentence)),
            svg("svg", {viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": "Share that converts, by time of entry; the numbers stand in the table"},
                [0, top / 2, top].map((v) => [svg("line", {x1: 40, x2: w - 20, y1: y(v), y2: y(v), class: "grid"}), svg("text", {x: 0, y: y(v) + 4}, percent(v))]),
                svg("polygon", {points: band, class: "band"}), svg("polyline", {points: line(shown), class: "line open"}), svg("polyline", {points: line(complete), class: "line"}),
                result.marks.filter((mark) => at(mark.ms) >= 0).map((mark) => svg("line", {x1: x(at(mark.ms)), x2: x(at(mark.ms)), y1: 8, y2: h - 24, class: "mark"})),
                shown.map((p) => svg("circle", {cx: x(p.i), cy: y(p.rate), r: 3.5, class: p.complete ? "dot" : "dot open"})),
                points.length ? [svg("text", {x: 40, y: h - 4}, calendar.label(points[0].start_ms)), svg("text", {x: w - 20, y: h - 4, "text-anchor": "end"}, calendar.label(points.at(-1).start_ms))] : []),
            table("By time of entry", ["Period", "Entered", "Converted", "Converts", "95 %", "Median time"], points.map((p) => [
                `${calendar.label(p.start_ms)}${p.complete ? "" : " (not complete)"}`, count(p.entered), count(p.converted), percent(p.rate), between(p.rate_ci95), time(p.time_ms?.p50)]))]};
    };
    const retention = (result) => {
        const calendar = new Explore.Calendar(data, result.definition.every), heads = ["Cohort", "Size", ...result.average.map((_, k) => k)];
        const shade = (share) => {
            const cell = el("span", {class: "shade"}, percent(share));
            cell.style.setProperty("--share", `${Math.round((share ?? 0) * 70)}%`);
            return cell;
        };
        const rows = (part) => [...part.cohorts.map((cohort) => [calendar.label(cohort.start_ms), count(cohort.size),
            ...cohort.retained.map((n) => n === null || !cohort.size ? "–" : shade(n / cohort.size))]), ["average", "", ...part.average.map((share) => share === null ? "–" : shade(share))]];
        const say = result.cohorts.length ? `On average ${percent(result.average[1] ?? result.average[0])} come back in the ${result.definition.every} after their first.` : "Nothing matched the start.";
        return {say, nodes: [el("p", {}, say), table(`Who comes back, by the ${result.definition.every} of the first start`, heads, rows(result)),
            result.groups.map((group) => el("section", {}, el("h3", {}, bdi(group.value)), table("Who comes back", heads, rows(group))))]};
    };
    const tree = (nodes, key) => nodes.length ? el("ul", {class: "tree"}, nodes.map((node) => {
        const fill = el("i", {class: "fill"});
        fill.style.width = `${100 * node.of_starts}%`;
        const again = new Map([...asked].map(([one, value]) => one === "from" || one === "to" ? [one, node.name] : [one, value]));
        return el("li", {}, el("div", {class: "head"}, el("span", {class: "name"}, node.kind === "event" ? link(again, bdi(node.name)) : node.name),
            el("span", {class: "figures"}, el("b", {}, percent(node.of_starts)), ` ${count(node.count)}`, el("span", {class: "soft"}, ` ${percent(node.of_previous)} of those before`,
                node.from_previous_ms ? `, half within ${time(node.from_previous_ms.p50)}` : ""))),
        el("div", {class: "bar thin", "aria-hidden": "true"}, fill), tree(node[key], key));
    })) : null;
    const follow = (result) => {
        const key = result.next ? "next" : "previous", say = `${count(result.starts)} ${asked.get("count") === "attempts" ? "starts" : noun()}.`;
        return {say, nodes: [el("p", {}, say), tree(result[key], key)]};
    };
    const people = (result) => {
        const {users} = result, one = keyNoun();
        const say = `${count(users.count)} ${noun()} ${users.dropped ? `were lost before step ${users.step}` : `took step ${users.step}`}.`;
        const isCut = users.keys.length === 200 && users.count > 200;
        const of = (key) => new Map([...asked, ["view", "user"], ["user", String(key)]].filter(([name]) => name !== "step" && name !== "dropped"));
        return {say, nodes: [el("p", {}, say, isCut ? ` The first 200 ${one}s are listed.` : null),
            el("ul", {class: "keys"}, users.keys.map((key) => el("li", {}, link(of(key), head.ids && one === "user" ? bdi(head.ids[key - 1]) : `${one} ${key}`))))]};
    };
    const person = (result) => {
        const {user} = result, say = `${count(user.events.length)} events of ${keyNoun()} ${user.key}.`;
        return {say, nodes: [el("h2", {}, user.id ? bdi(user.id) : `${keyNoun()} ${user.key}`), table(say, ["Time (UTC)", "Event", "Session", "Properties"], user.events.slice(0, 2000).map((event) => [
            moment(event.t_ms), bdi(event.name), event.session ?? "–", Object.entries(event.props).map(([key, value], i) => [i ? ", " : "", bdi(`${key}=${value}`)])]))]};
    };
    const shown = {funnel, trend, retention, paths: follow, users: people, user: person};

    // MARK: Page

    const copy = async (id, text) => {
        const node = document.getElementById(id);
        try {
            await navigator.clipboard.writeText(text);
            node.textContent = "Copied";
        } catch {
            node.textContent = "Select and copy it below";
        }
    };
    const views = () => {
        const name = stepsOf(asked.get("steps"))?.[0].names?.[0] ?? head.names[0] ?? "", base = [...asked].filter(([key]) => ["steps", "window", "step-window", "order", "by", "exclude", "since", "until", "breakdown", "top", "count"].includes(key));
        const funnelAsk = base.some(([key]) => key === "steps") ? base : [...standard()];
        return [["funnel", "Funnel", funnelAsk], ["trend", "Trend", [["view", "trend"], ...funnelAsk]],
            ["retention", "Retention", [["view", "retention"], ["start", Explore.nameText(name)], ["return", Explore.nameText(name)]]], ["paths", "Paths", [["view", "paths"], ["from", name]]]]
            .map(([key, text, ask]) => el("li", {}, el("a", {href: `#${Explore.spell(new Map(ask))}`, "aria-current": view() === key ? "page" : null}, text)));
    };
    const footer = () => el("footer", {}, el("p", {}, `${count(head.events)} events of ${count(head.users)} users in ${count(head.sessions)} sessions, from `, bdi(head.source),
        `. Days are those of ${head.tz}. ${head.ids ? "The users' ids are in this file." : "Users are numbers here."} Who knows when a person did something can find that person's line.`),
    head.k > 1 ? el("p", {}, `A value that fewer than ${head.k} users have is not in this file: it counts as (other), or lies in a range of numbers.`) : null,
    head.left_out.length ? el("p", {}, "Not in this file: ", head.left_out.map((one, i) => [i ? ", " : "", bdi(Explore.pathText(one.path, one.session ? "session" : "event"))]), ".") : null,
    el("p", {}, `Read: ${count(head.input.events)} events in ${count(head.input.files)} files, ${count(head.input.duplicates)} duplicates, ${count(head.input.bad_lines)} bad lines, ${count(head.input.damaged_members)} damaged places.`));
    const message = (title, text, more) => el("div", {class: "message"}, el("h2", {}, title), el("p", {}, text), more ?? null);
    const draw = () => {
        const focused = document.activeElement?.id, {result} = answer;
        let content;
        if (result.wrong) content = {say: result.wrong, nodes: [message("That cannot be read", result.wrong)]};
        else if (result.refused) {
            content = {say: result.refused.why, nodes: [message("This page does not count that", `${clean(result.refused.what)}: ${result.refused.why}. The command can:`,
                el("pre", {}, el("code", {}, result.refused.command)))]};
        } else content = shown[view()](result);
        const line = Explore.command(data, asked), wide = matchMedia("(min-width: 62rem)").matches, isOpen = document.getElementById("ask")?.open ?? wide;
        const sample = head.sample ? el("p", {class: "note"}, `A sample of ${+(head.sample.share * 100).toPrecision(2)} % of the users: ${count(head.sample.users)} of ${count(head.sample.of_users)}.`) : null;
        app.replaceChildren(el("a", {class: "skip", href: "#answer", onclick: (event) => {
            event.preventDefault();
            document.getElementById("answer").focus();
        }}, "Skip to the answer"),
        el("header", {}, el("h1", {}, "Explore"), el("nav", {"aria-label": "Questions"}, el("ul", {}, views()))),
        el("main", {}, el("details", {id: "ask", open: wide || isOpen}, el("summary", {}, "Question: ", bdi(asked.get("steps") ?? asked.get("start") ?? asked.get("from") ?? asked.get("to") ?? view())), question()),
            el("section", {id: "answer", tabindex: -1, "aria-label": "Answer"}, sample, content.nodes,
                view() === "user" && !/^looptrail explain/.test(line) ? null : el("div", {class: "copy"}, el("pre", {id: "command"}, el("code", {}, line)),
                    button("copy-command", "Copy as command", "Copy as command", () => copy("copy-command", line)),
                    button("copy-link", "Copy link", "Copy link", () => copy("copy-link", location.href.split("#")[0] + `#${Explore.spell(asked)}`))))),
        footer());
        document.getElementById("live").textContent = content.say;
        differs();
        if (focused) document.getElementById(focused)?.focus({preventScroll: true});
    };
    const saved = (one) => new Map(Object.entries(one.ask).filter(([, value]) => value !== null && value.length));
    // What an empty address asks: what the page was made with, or the five names that most users have.
    const standard = () => {
        if (head.steps) return new Map([["steps", head.steps]]);
        if (head.funnels.length) return saved(head.funnels[0]);
        const seen = new Uint32Array(head.names.length), users = new Uint32Array(head.names.length);
        for (let user = 1; user <= head.users; user++) {
            for (let i = data.starts[user]; i < data.starts[user + 1]; i++) {
                const name = data.names[i];
                if (seen[name] !== user) [seen[name], users[name]] = [user, users[name] + 1];
            }
        }
        const most = [...users.keys()].sort((a, b) => users[b] - users[a] || a - b).slice(0, 5);
        return new Map(most.length ? [["steps", most.map((name) => Explore.nameText(head.names[name])).join(" > ")]] : []);
    };
    const broken = (text) => {
        app.replaceChildren(el("main", {}, message("This page cannot be shown", text)));
        document.getElementById("result").textContent = JSON.stringify({wrong: text});
        root.dataset.state = "broken";
    };
    const run = () => {
        root.dataset.state = "busy";
        const began = performance.now(), fragment = location.hash.slice(1);
        try {
            answer = head.events === 0 ? {asked: new Map(), result: {wrong: "There are no events in this page."}} : Explore.ask(data, fragment === "" ? standard() : fragment);
            asked = answer.asked;
            draw();
        } catch (error) {
            return broken(error.message);
        }
        document.getElementById("result").textContent = JSON.stringify(answer.result);
        root.dataset.asked = fragment;
        root.dataset.ms = (performance.now() - began).toFixed(1);
        root.dataset.first ??= performance.now().toFixed(0);
        root.dataset.state = answer.result.refused ? "refused" : answer.result.wrong ? "wrong" : "ready";
    };
    const unpack = async (node) => {
        const text = atob(node.textContent), bytes = new Uint8Array(text.length);
        for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
        node.remove();
        return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
    };
    const start = async () => {
        document.body.append(el("p", {id: "live", class: "unseen", role: "status", "aria-live": "polite"}));
        if (typeof DecompressionStream === "undefined") return broken("This browser cannot unpack the page's data: it has no DecompressionStream. Take a newer one.");
        try {
            const nodes = [...document.querySelectorAll('script[id^="c-"]')];
            const columns = new Map(await Promise.all(nodes.map(async (node) => [node.id.slice(2), await unpack(node)])));
            head = JSON.parse(new TextDecoder().decode(columns.get("head")));
            data = new Explore.Data(head, (name) => {
                const bytes = columns.get(name);
                if (!bytes) throw new Error(`the column ${name} is missing`);
                columns.delete(name);
                return bytes;
            });
        } catch (error) {
            return broken(`The page's data are damaged or of another version: ${error.message}.`);
        }
        window.addEventListener("hashchange", run);
        return run();
    };
    window.addEventListener("DOMContentLoaded", start);
})();
