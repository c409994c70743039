const COMMON = ["by", "since", "until"];
const FUNNEL = [
    ...COMMON, "steps", "window", "step-window", "order", "exclude", "mature", "include-open", "breakdown", "top", "count",
];
const VIEWS = {
    __proto__: null, funnel: FUNNEL, trend: [...FUNNEL, "every"], users: [...FUNNEL, "step", "dropped"], user: [...FUNNEL, "user"],
    retention: [...COMMON, "start", "return", "every", "periods", "breakdown", "top"],
    paths: [...COMMON, "from", "to", "window", "depth", "count", "merge-repeats", "top", "min-share"],
};
const SWITCHES = ["mature", "include-open", "dropped", "merge-repeats", "no-identify"];
// Flags that were settled when the page was written, or that it does not count with.
const ELSEWHERE = ["hold", "compat", "data-end", "tz", "no-identify", "only-users", "not-users", "session-timeout"];
const parse = (fragment) => {
    const asked = new Map(), plain = (text) => {
        try {
            return decodeURIComponent(text.replace(/\+/g, " "));
        } catch {
            return wrong(`the address holds \`${text}\`, which is not encoded as an address is`);
        }
    };
    for (const pair of fragment.replace(/^#/, "").split("&").filter(Boolean)) {
        const [, name, text = "true"] = /^([^=]*)(?:=(.*))?$/s.exec(pair), key = plain(name), value = plain(text);
        if (key === "exclude") entry(asked, key).push(value);
        else if (asked.has(key)) wrong(`the address says \`${key}\` twice`);
        else asked.set(key, value);
    }
    return asked;
};
// The pairs of a question, one for each exclusion.
const pairs = (asked) => [...asked].flatMap(([key, value]) => [value].flat().map((one) => [key, one]));
const spell = (asked) => String(new URLSearchParams(pairs(asked)));
// A text for a shell: what could act is written out.
const shellWord = (text) => {
    const hex = (c) => Array.from(new TextEncoder().encode(c), (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
    if (ACTS.test(text)) return `$'${[...text].map((c) => ACTS.test(c) ? hex(c) : c.replace(/['\\]/g, "\\$&")).join("")}'`;
    return /^[A-Za-z0-9_\/.:=,@%+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
};
const flagWords = (key, value) => {
    const isSwitch = SWITCHES.includes(key), gap = isSwitch || value.startsWith("-") ? "=" : " ";
    return isSwitch && value === "false" ? [] : [`--${key}${isSwitch && value === "true" ? "" : gap + shellWord(value)}`];
};
const command = (data, asked) => {
    const {head} = data, view = asked.get("view") ?? "funnel", isPerson = view === "user";
    const words = ["looptrail", isPerson ? "explain" : view], id = asked.get("by") !== "session" && head.ids?.[asked.get("user") - 1];
    // A shell asks what the page does not know. Behind `--` an id is no flag, whatever it begins with.
    const operands = head.paths.map(shellWord);
    // A pattern would be taken for files.
    if (isPerson) operands.unshift(id && !/^-$|[*?[]/.test(id) ? shellWord(id) : '"${ID:?whose}"');
    const isFlag = operands.some((one) => one.startsWith("-"));
    if (!isFlag) words.push(...operands);
    const isSaid = (key) => isPerson ? FUNNEL.includes(key) && !/^(breakdown|top|count)$/.test(key)
        : [...VIEWS[view] ?? FUNNEL, ...ELSEWHERE].includes(key);
    words.push(...pairs(asked).filter(([key]) => isSaid(key)).flatMap(([key, value]) => flagWords(key, value)));
    if (view === "trend" && (asked.get("every") ?? "day") === "day") {
        const days = new Calendar(data, "day");
        words.push(...head.marks.map(([ms, label]) => `--mark ${shellWord(`${days.label(ms)}=${label}`)}`));
    }
    if (head.tz !== "UTC") words.push(...flagWords("tz", head.tz));
    if (!head.identify && !asked.has("no-identify")) words.push("--no-identify");
    for (const whose of ["only", "not"]) if (head[`${whose}_users`]) words.push(...flagWords(`${whose}-users`, head[`${whose}_users`]));
    if (isPerson && !asked.has("steps")) words.push('--steps "${STEPS:?which}"');
    return [...words, ...isFlag ? ["--", ...operands] : []].join(" ");
};

// The values of an address, read as those of the flags.
class Values {
    constructor(data, asked) {
        Table.forget();
        Object.assign(this, {data, asked, view: asked.get("view") ?? "funnel"});
    }
    word(key, words, standard = words[0]) {
        const value = this.asked.get(key) ?? standard;
        return words.includes(value) ? value : wrong(`${key}: \`${value}\` is none of ${words.join(", ")}`);
    }
    flag(key) { return this.word(key, ["false", "true"]) === "true"; }
    whole(key, low, high, standard) {
        const value = this.asked.get(key) ?? String(standard), number = /^[0-9]+$/.test(value) ? Number(value) : -1;
        return number >= low && number <= high ? number : wrong(`${key}: expected a whole number from ${low} to ${high}`);
    }
    needed(key) { return this.asked.get(key) ?? wrong(`${key}= is needed`); }
    duration(key, standard) { return duration(this.asked.get(key) ?? standard, key); }
    moment(key, standard) {
        const text = this.asked.get(key), {head} = this.data;
        if (text === undefined) return standard;
        if (text.startsWith("now")) refuse(`--${key} ${text}`, "a page has no clock: write a date");
        const found = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|([+-])(\d\d)(?::?(\d\d))?)?)?$/.exec(text);
        const [, day, clock = "00:00", second = "00", fraction = "", zone, sign, hours = 0, minutes = 0] = found ?? [];
        const date = Date.parse(day), time = Date.parse(`${day}T${clock}:${second}.${`${fraction}000`.slice(0, 3)}Z`);
        const isOne = new Date(time).toJSON()?.startsWith(day);
        if (!isOne) wrong(`${key}: \`${text}\` is not a date or time: write \`2026-01-15\` or \`2026-01-15T08:30Z\``);
        if (zone || head.tz === "UTC") return time - (sign === "-" ? -1 : 1) * (hours * 60 + Number(minutes)) * 60000;
        const index = date / DAY - head.first_day, start = head.day_starts[index];
        const isKnown = start !== undefined && (time === date || head.day_starts[index + 1] - start === DAY);
        return isKnown ? start + time - date : refuse(`--${key} ${text}`,
            `this page does not know that time in ${head.tz}: add its distance from UTC, as in \`2026-01-15T08:30Z\``);
    }
    // Who is counted, and starts of which time.
    get range() {
        const since = this.moment("since", -Infinity), until = this.moment("until", Infinity), by = this.asked.get("by") ?? "user";
        if (since >= until) wrong("since: no time lies between since and until");
        if (by !== "user" && by !== "session") refuse(`--by ${by}`, "the page counts by user or session");
        if (by === "session" && this.data.head.cut) refuse("--by session", "the page holds the events of some users only");
        return {since, until, by};
    }
    get breakdown() {
        const text = this.asked.get("breakdown");
        if (text === undefined) return this.asked.has("top") ? wrong("top says how many groups to show: it needs breakdown=") : null;
        const source = text.startsWith("session.") ? "session" : "event";
        const {path, kind} = new Grammar(text.replace(/^(props|session)\./, ""), "breakdown").attributed();
        const step = /^step=0*([1-9][0-9]*)$/.exec(kind)?.[1];
        const attribution = ["first", "last", "all"].includes(kind) ? kind : Number(step);
        if (!attribution) wrong(`breakdown: \`${kind}\` is none of \`first\`, \`last\`, \`all\` and \`step=\` with a step's number`);
        return {source, path, attribution, top: this.whole("top", 1, 10000, 10), text: `${pathText(path, source, ":")}:${kind}`};
    }
    get definition() {
        const {view} = this, steps = new Grammar(this.needed("steps"), "steps").steps(), {breakdown, range} = this;
        const exclusions = (this.asked.get("exclude") ?? []).map((text) => new Grammar(text, "exclude").exclusion());
        if (steps.length > 30) refuse("--steps", "the page counts up to 30 steps");
        if (exclusions.length > 30) refuse("--exclude", "the page counts with up to 30 exclusions");
        const beyond = exclusions.find((one) => one.range?.[1] > steps.length);
        if (beyond) wrong(`exclude: \`${exclusionText(beyond)}\` goes beyond step ${steps.length}`);
        if (breakdown?.attribution > steps.length) wrong(`breakdown: the funnel has ${steps.length} steps`);
        const isMature = this.flag("mature"), takesOpen = this.flag("include-open");
        const order = this.word("order", ["ordered", "strict", "any"]);
        if (isMature && takesOpen) wrong("mature and include-open exclude each other");
        const comparesVisits = order !== "any" && (view === "trend" || view === "funnel" && breakdown?.attribution === "first");
        if (this.asked.get("count") === "attempts") refuse("--count attempts", "the page counts users, sessions and visits");
        const count = this.word("count", ["users", "visits"], comparesVisits ? "visits" : "users");
        const stepWindow = this.asked.has("step-window") ? this.duration("step-window") : Infinity;
        const misfit = order !== "any" ? null : count === "visits" ? "visits: its starts have no first step"
            : steps.some((step) => step.optional) ? "optional steps: any of its steps may be missing"
            : stepWindow < Infinity ? "a step window: its steps have no neighbours"
            : exclusions.some((one) => one.range) ? "an exclusion between two steps: leave the `@` away" : null;
        if (misfit) wrong(`order any does not go with ${misfit}`);
        return {
            steps, exclusions, window: this.duration("window", "7d"), stepWindow, order, ...range, breakdown, count,
            mature: view === "trend" ? !takesOpen : isMature, layout: new StepLayout(steps.map((step) => step.optional)),
        };
    }
}
const ANSWERS = {
    funnel: (data, values) => funnel(data, values.definition),
    trend: (data, values) => trend(data, values.definition, values.word("every", ["hour", "day", "week", "month"], "day")),
    users(data, values) {
        const d = values.definition, step = values.whole("step", 1, d.steps.length, d.layout.last + 1), isDropped = values.flag("dropped");
        if (isDropped && step === 1) wrong("dropped: nobody can be lost before step 1");
        return users(data, d, step, isDropped);
    },
    user(data, values) {
        const {by} = values.range, {count} = data.keys(by);
        if (!count) wrong(`user: this page has no ${by}s`);
        return person(data, values.whole("user", 1, count, 1), by);
    },
    retention(data, values) {
        const single = (name) => new Grammar(values.needed(name), name).single(), {breakdown} = values, step = breakdown?.attribution;
        if (step === "all" || step > 1) wrong("breakdown: a cohort has each key once: take :first, :last or :step=1");
        return retention(data, {
            start: single("start"), back: single("return"), every: values.word("every", ["day", "week", "month"]),
            periods: values.whole("periods", 0, 366, 7), ...values.range, breakdown,
        });
    },
    paths(data, values) {
        const {asked} = values, share = /^([0-9]+(?:\.[0-9]+)?)%$/.exec(asked.get("min-share") ?? "1%");
        if (asked.has("from") === asked.has("to")) wrong("paths need from= or to=");
        if (!share || Number(share[1]) > 100) wrong("min-share: expected a share such as 1%");
        return paths(data, {
            isBack: asked.has("to"), name: asked.get("from") ?? asked.get("to"), window: values.duration("window", "1d"),
            depth: values.whole("depth", 1, 20, 3), count: values.word("count", ["users", "attempts"]),
            merges: values.flag("merge-repeats"), top: values.whole("top", 1, 1000, 5), share: Number(share[1]) / 100, ...values.range,
        });
    },
};
const answer = (data, asked) => {
    const values = new Values(data, asked), {view} = values;
    if (["why", "compare", "timings"].includes(view)) refuse(view, "the page does not count it");
    if (!VIEWS[view]) wrong(`view=${view}: there are ${Object.keys(VIEWS).join(", ")}`);
    for (const key of asked.keys()) {
        if (ELSEWHERE.includes(key)) refuse(`--${key}`, "the page does not count with it");
        if (key !== "view" && !VIEWS[view].includes(key)) refuse(key, `the page does not know this word for view=${view}`);
    }
    return ANSWERS[view](data, values);
};
// Sessions or visits of one user are not independent: an interval of their shares would be too narrow.
const withoutIntervals = (result) => JSON.parse(JSON.stringify(result, (key, value) => key.endsWith("_ci95") ? null : value));
// The answer to an address, as the command's JSON; or why there is none. unripe: how many still have time, and how many entered too late.
const ask = (data, fragment) => {
    let asked = new Map();
    try {
        asked = typeof fragment === "string" ? parse(fragment) : fragment;
        const {unripe, ...own} = answer(data, asked), result = {schema: 1, ...own}, {sample} = data.head;
        if (!sample) return {asked, unripe, result};
        const {count, by} = own.definition ?? {};
        return {asked, unripe, result: {...count === "visits" || by === "session" ? withoutIntervals(result) : result, sample}};
    } catch (error) {
        if (error instanceof Refused) return {asked, result: {refused: {...error, command: command(data, asked)}}};
        if (error instanceof Wrong) return {asked, result: {wrong: error.message}};
        throw error;
    }
};
// What programs use.
const Explore = {Data, ask, command, questionOf, findings};
