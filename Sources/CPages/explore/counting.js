const Z = 1.959963984540054;
// Wilson's score interval.
const interval = (k, n) => {
    if (!n) return null;
    const p = k / n, square = Z * Z, scale = 1 + square / n, centre = (p + square / (2 * n)) / scale;
    const half = Z * Math.sqrt(p * (1 - p) / n + square / (4 * n * n)) / scale;
    return [k === 0 ? 0 : Math.max(0, centre - half), k === n ? 1 : Math.min(1, centre + half)];
};
const shareJSON = (converted, entered) =>
    ({entered, converted, rate: entered ? converted / entered : null, rate_ci95: interval(converted, entered)});
const together = (parts) => shareJSON(sumOf(parts, "converted"), sumOf(parts, "entered"));
// By how much a share differs from another, with Newcombe's interval.
const difference = ({rate: a, rate_ci95: ofA}, {rate: b, rate_ci95: ofB}) => ofA && ofB
    ? {difference: a - b, ci95: [a - b - Math.hypot(a - ofA[0], ofB[1] - b), a - b + Math.hypot(ofA[1] - a, b - ofB[0])]}
    : {difference: null, ci95: null};
// The logarithm of the gamma function, by Stirling's series from 16 on.
const logGamma = (x) => {
    let below = 0;
    for (; x < 16; x++) below += Math.log(x);
    const r = 1 / (x * x), series = (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r / 1188)))) / x;
    return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - below;
};
// The regularised incomplete beta function at x, by its continued fraction; rest is 1 - x.
const incompleteBeta = (x, rest, a, b) => {
    if (x <= 0) return 0;
    if (rest <= 0) return 1;
    const isFar = x > (a + 1) / (a + b + 2);
    if (isFar) [x, rest, a, b] = [rest, x, b, a];
    let c = 1, d = 0, value = 1;
    for (let term = 1; term <= 10000; term++) {
        const m = Math.floor(term / 2), numerator = term % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            : m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + numerator * d || 1e-300);
        c = 1 + numerator / c || 1e-300;
        value *= c * d;
        if (Math.abs(c * d - 1) < 1e-16) break;
    }
    const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(rest)) / a;
    return isFar ? 1 - Math.min(1, front / value) : Math.min(1, front / value);
};
// Student's two-sided p; degrees need not be whole.
const studentP = (t, degrees) => {
    if (!Number.isFinite(t)) return Number.isNaN(t) ? 1 : 0;
    const whole = degrees + t * t;
    return incompleteBeta(degrees / whole, t * t / whole, degrees / 2, 0.5);
};
// How far t reaches with such a p.
const studentReach = (degrees, p = 0.05) => {
    let low = 0, high = 2 ** 30;
    for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
        if (studentP(middle, degrees) > p) low = middle;
        else high = middle;
    }
    return high;
};
// Benjamini and Hochberg's; null stays.
const qValues = (all) => {
    const asked = [...all.keys()].filter((i) => all[i] !== null).sort((a, b) => all[b] - all[a]), q = all.map(() => null);
    asked.reduce((least, i, n) => q[i] = Math.min(least, all[i] * asked.length / (asked.length - n)), 1);
    return q;
};
// Durations in few numbers: percentiles interpolate between ranks. Many are counted by their leading bits, and only those like a wanted
// one are sorted.
const distribution = (list) => {
    const n = list.length, shares = [0.5, 0.9, 0.99].map((share) => share * (n - 1)), passed = [];
    if (!n) return null;
    const ranks = shares.flatMap((share) => [Math.floor(share), Math.ceil(share)]).sort((a, b) => a - b);
    const shift = n < 1000 ? 30 : 17, bits = new Uint32Array(new Float32Array(list).buffer), counts = uints(1 << 31 - shift);
    const isHeld = counts.slice();
    let total = 0, size = 0;
    for (let i = 0; i < n; i++) {
        total += list[i];
        counts[bits[i] >>> shift]++;
    }
    for (let bucket = 0, below = 0, left = 0; passed.length < ranks.length; bucket++) {
        below += counts[bucket];
        for (; ranks[passed.length] < below; isHeld[bucket] = 1) passed.push(left);
        if (isHeld[bucket]) size += counts[bucket];
        else left += counts[bucket];
    }
    const held = floats(size), at = (rank) => held[rank - passed[ranks.indexOf(rank)]];
    for (let i = 0, k = 0; i < n; i++) if (isHeld[bits[i] >>> shift]) held[k++] = list[i];
    held.sort();
    const mean = total < 2 ** 53 ? total / n : Number(list.reduce((all, one) => all + BigInt(one), 0n)) / n;
    const [p50, p90, p99] = shares.map((share) => at(Math.floor(share)) + (at(Math.ceil(share)) - at(Math.floor(share))) * (share % 1));
    return {n, mean, p50, p90, p99};
};

// MARK: Groups

const NONE = "(none)", OTHER = "(other)", TIMEOUT = 1800000;
const isValue = (name) => name !== NONE && name !== OTHER;
// The values of a breakdown: the code of each event, and the text of each code.
class Breakdown {
    constructor(data, asked) {
        const property = data.property(asked.source, asked.path);
        Object.assign(this, {asked, part: new Table(EVENTS), step: asked.attribution - 1});
        this.texts = [NONE, ...property.values];
        // Everything folded is one group; an empty text is no value.
        this.folded = this.texts.length;
        this.codeCount = this.folded + property.ranges.length + 1;
        const empty = this.texts.indexOf("", 1);
        this.codes = data.codes(property);
        if (empty > 0) this.codes = this.codes.map((code) => code === empty ? 0 : code);
    }
    refuse(why) { refuse(`--breakdown ${this.asked.text}`, why); }
    // The code of the value that stands for two of one millisecond: the one that sorts first.
    least(a, b) {
        if (a === b || !a || !b) return a || b;
        if (Math.max(a, b) >= this.folded) {
            this.refuse("somebody has two values in one millisecond, one of them in (other), and which comes first is not in the page");
        }
        return order(this.texts[a], this.texts[b]) < 0 ? a : b;
    }
    // The groups of codes by falling size, with values beyond the largest as other ones.
    groups(sizes) {
        const groups = new Map(), bySize = (a, b) => b.size - a.size || order(a.name, b.name);
        const all = [...sizes].map(([code, size]) => ({name: this.texts[code] ?? OTHER, code, size}));
        const beyond = new Set(all.filter(({name}) => isValue(name)).sort(bySize).slice(this.asked.top));
        for (const one of all) {
            const name = beyond.has(one) ? OTHER : one.name, group = entry(groups, name, () => ({name, codes: [], size: 0}));
            group.codes.push(one.code);
            group.size += one.size;
        }
        return [...groups.values()].sort(bySize);
    }
    // Calls body with each value's events.
    forEachPart(key, body) {
        const parts = new Map(), {part} = this;
        for (let i = 0; i < key.count; i++) entry(parts, key.values[i]).push(i);
        for (const [value, list] of parts) {
            if (value >= this.folded) this.refuse("a value that few users have is not in the page: take :first or :last");
            part.reserve(part.count = list.length);
            for (const name in EVENTS) picked(key[name], list, part.count, part[name]);
            body(part);
        }
    }
    // The value that a chain counts under, where that is part of the key or of a step.
    valueOf(chain, key, isAnyOrder) {
        if (this.asked.attribution === "all") return key.values[0];
        if (isNaN(this.step)) return null;
        return chain.taken >> this.step & 1 ? this.atTime(chain.times[this.step], key, isAnyOrder ? -1 : bit(this.step)) : 0;
    }
    // The value of the events of a millisecond that fit one of some steps.
    atTime(time, key, steps) {
        let found = 0;
        for (let i = indexOf(key.times, key.count, time); i < key.count && key.times[i] === time; i++) {
            if (key.steps[i] & steps) found = this.least(found, key.values[i]);
        }
        return found;
    }
    // The first value, or the last.
    endValue(key) {
        const {count, values, steps, times} = key, by = this.asked.attribution === "last" ? -1 : 1;
        let i = by < 0 ? count - 1 : 0;
        while (i >= 0 && i < count && !(values[i] && steps[i])) i += by;
        return i >= 0 && i < count ? this.atTime(times[i], key, -1) : 0;
    }
}

// MARK: Folds

// Follows one key's starts. Body gets each chain that counts, its key, its group, the period that it began in or null for all, and whether
// it counts for all starts (1) and for mature ones (2).
class GroupFold {
    constructor(asked) { Object.assign(this, asked); }
    // until: starts before it are mature.
    follow(number, key, until) {
        const {d, d: {since, until: before}, periodOf} = this;
        this.add(number, key, until, since, before, null);
        for (let i = 0, now = [0, -Infinity]; periodOf && i < key.count; i++) {
            const time = key.times[i], mayStart = d.order === "any" ? key.steps[i] : key.steps[i] & 1;
            if (!mayStart || time < since || time >= before || time >= now[0] && time < now[1]) continue;
            now = periodOf(time);
            this.add(number, key, until, Math.max(since, now[0]), Math.min(before, now[1]), now);
        }
    }
    add(number, key, until, from, to, period) {
        const isMature = to <= until || key.times[key.count - 1] < until;
        this.part(number, key, from, to, period, isMature ? 3 : 1);
        if (!isMature && from < until) this.part(number, key, from, until, period, 2);
    }
    part(number, key, since, until, period, counts) {
        const {d, chains, breakdown} = this, from = indexOf(key.times, key.count, since);
        const to = Math.max(from, indexOf(key.times, key.count, until + d.window));
        chains.rules.until = until;
        const chain = chains.follow(key, from, to, this.end);
        if (!chain) return;
        const group = breakdown ? breakdown.valueOf(chain, key, d.order === "any") ?? breakdown.endValue(key) : 0;
        this.body(chain, number, group, period, counts);
    }
}

// Follows one key's visits: the starts of one session, or starts without one that follow each other soon. A visit belongs to the time of
// its first start, and its chain is the best of its starts.
class VisitFold {
    constructor(asked) {
        // `count` visits are of this key, `before` were others'. ofSession: the number of each session's last. run: the steps of
        // the key, with the starts of one visit.
        const bySession = asked.d.by === "session", ofSession = ints(asked.data.head.sessions + 1);
        Object.assign(this, asked, {bySession, ofSession, visits: [], count: 0, before: 0, run: ints(256)});
    }
    // Body gets the same as for starts, once for each visit, and the visit.
    follow(number, key, until) {
        const {d, data, chains, breakdown, visits, periodOf, end, body} = this, attribution = breakdown?.asked.attribution;
        this.divide(number, key);
        if (attribution === "last" || attribution === "first" && !this.areKnown) this.group(number, key, attribution === "last");
        for (let v = 0; v < this.count; v++) {
            const visit = visits[v];
            // A session without a user is a user of its own.
            visit.user ||= data.head.users + number;
            if (visit.first < d.since || visit.first >= d.until) continue;
            const chain = visit.depth ? chains.set(visit, visit.last, end) : this.chain(visit, key);
            if (!chain) continue;
            const group = breakdown?.valueOf(chain, key, false) ?? visit.group;
            body(chain, number, group, periodOf && periodOf(visit.first), visit.last < until ? 3 : 1, visit);
        }
    }
    chain({first, last, starts}, {times, exclusions, count}) {
        const {d, chains, run} = this, from = indexOf(times, count, first), to = indexOf(times, count, last + d.window + 1);
        chains.rules.lastStart = last;
        for (const i of starts) run[i] |= 1;
        const chain = chains.follow({times, steps: run, exclusions}, from, to, this.end);
        for (const i of starts) run[i] &= ~1;
        return chain;
    }
    divide(number, key) {
        const {data, d, chains, bySession, ofSession, visits} = this, {times, steps, values, count} = key;
        const isWalk = chains instanceof OrderedChains && chains.begins(key, 0, count);
        this.areKnown = true;
        if (this.run.length < count) this.run = ints(2 * count);
        this.before += this.count;
        this.count = 0;
        for (let i = 0; i < count; i++) {
            if (!isWalk) this.run[i] = steps[i] & ~1;
            if (!(steps[i] & 1)) continue;
            const session = this.sessionOf(number, key, i), time = times[i];
            let visit = this.visitOf(session);
            if (!visit || !session && time - visit.last >= TIMEOUT) {
                // With all its fields: one added later is slower.
                visit = visits[this.count++] ??= {
                    times: floats(d.steps.length), starts: [], first: time, last: time, groupTime: time, session, user: 0, depth: 0,
                    group: 0, isKnown: false,
                };
                ofSession[session] = this.before + this.count;
                visit.first = visit.groupTime = time;
                visit.starts.length &&= 0;
                visit.session = session;
                visit.user = visit.depth = 0;
                // The value of an event alone in its millisecond is that of the visit that it begins.
                visit.group = times[i + 1] === time || i > 0 && times[i - 1] === time ? 0 : values[i];
                visit.isKnown = visit.group > 0;
                this.areKnown &&= visit.isKnown;
            }
            visit.last = time;
            visit.user ||= bySession ? data.userOf(key.index[i]) : number;
            if (isWalk) chains.walk(visit, time, key, count);
            else visit.starts.push(i);
        }
    }
    visitOf(session) {
        const at = this.ofSession[session] - this.before;
        return at > 0 ? this.visits[at - 1] : null;
    }
    sessionOf(number, key, i) { return this.bySession ? number : this.data.sessions[key.index[i]]; }
    // The first value of each visit, or the last, among its own events from its first start on.
    group(number, key, isLast) {
        const {visits, breakdown} = this;
        for (let i = 0, v = 0, loose = null; i < key.count; i++) {
            const time = key.times[i], code = key.values[i];
            if (!code || !key.steps[i]) continue;
            const session = this.sessionOf(number, key, i);
            for (; v < this.count && visits[v].first <= time; v++) if (visits[v].session === 0) loose = visits[v];
            const visit = session ? this.visitOf(session) : loose;
            if (!visit || time < visit.first || !session && time - visit.last >= TIMEOUT) continue;
            if (time === visit.first && key.steps[i] & 1) visit.isKnown = true;
            if (visit.group && time !== visit.groupTime && !isLast) continue;
            visit.group = time === visit.groupTime ? breakdown.least(visit.group, code) : code;
            visit.groupTime = time;
        }
    }
}

// The first millisecond whose starts have time left; with a silence, of sessions that are active.
const matureUntil = (d, end, silence = Infinity) => d.steps.length < 2 ? Infinity
    : end - Math.min(d.window, d.stepWindow * (d.steps.length - 1), silence) + 1;

const forEachChain = (data, d, periodOf, body) => {
    const breakdown = d.breakdown && new Breakdown(data, d.breakdown), end = data.end(d.window), until = matureUntil(d, end);
    // Keys without an exclusion are followed as where there is none.
    const [fold, plainFold] = [d.exclusions, []].map((exclusions) => new (d.count === "visits" ? VisitFold : GroupFold)({
        data, d, chains: engine({...d, exclusions}), breakdown, periodOf, end, body,
    }));
    forEachKey(data, d, breakdown?.codes, (number, key) => {
        const isSilent = d.by === "session" && data.lasts[number] <= end - TIMEOUT, own = isSilent ? Infinity : until;
        const ownFold = key.isExcluded ? fold : plainFold;
        if (d.breakdown?.attribution !== "all") return ownFold.follow(number, key, own);
        return breakdown.forEachPart(key, (part) => ownFold.follow(number, part, own));
    });
    const untilOf = (last) => matureUntil(d, last, d.by === "session" ? TIMEOUT : Infinity);
    return {breakdown, end, until: untilOf(end), covered: untilOf(data.end(0))};
};

// MARK: Funnel

// How many of some starts took each step, and how long that took.
class FunnelTally {
    constructor(d, counts) { Object.assign(this, {d, counts, timed: []}); }
    get share() { return shareJSON(this.counts[this.d.layout.last], this.counts[0]); }
    // How long a step took from the first one, which is also the one before the second.
    time(step = this.d.layout.last, from = "first") { return distribution(this.timed[step]?.[from].subarray(0, this.counts[step]) ?? []); }
    get steps() {
        const {d, counts} = this, share = (n, of) => of ? n / of : null, range = (n, of) => interval(Math.min(n, of), of);
        return d.steps.map((step, i) => {
            const n = counts[i], before = counts[d.layout.previous[i]], time = this.time(i);
            return {
                index: i + 1, name: titleOf(step), count: n, of_first: share(n, counts[0]), of_previous: share(n, before),
                dropped: step.optional ? 0 : before - n,
                from_previous_ms: d.layout.previous[i] ? this.time(i, "previous") : time, from_first_ms: time,
                of_first_ci95: range(n, counts[0]), of_previous_ci95: range(n, before),
            };
        });
    }
}
// A row for each chain of a group, and for each visit with what claims ask. For each timed
// step the groups of those that took it, with their times.
const ROWS = {group: Uint32Array, converted: Uint8Array, user: Uint32Array, first: Float64Array, isKnown: Uint8Array, isOpen: Uint8Array};
const TIMES = {group: Uint32Array, first: Float64Array, previous: Float64Array};
class StartTally extends FunnelTally {
    constructor(d, timed = [...d.steps.keys()].slice(1)) {
        super(d, d.steps.map(() => 0));
        Object.assign(this, {rows: Table.kept(ROWS), all: 0, mature: 0, matureConverted: 0, open: 0});
        for (const step of timed) this.timed[step] = Table.kept(TIMES);
    }
    add(chain, key, group, period, counts, visit) {
        const {d, rows, timed} = this, {depth, taken} = chain, converted = taken >> d.layout.last & 1;
        this.all += counts & 1;
        this.mature += counts >> 1;
        this.matureConverted += (counts >> 1) * converted;
        if (!(counts & (d.mature ? 2 : 1))) return;
        // A session may be over before its window is.
        this.open += counts < 2 && chain.isOpen && depth <= d.layout.last ? 1 : 0;
        if (visit || d.breakdown) {
            const row = rows.next();
            rows.group[row] = group;
            rows.converted[row] = converted;
            if (visit) {
                rows.user[row] = visit.user;
                rows.first[row] = visit.first;
                rows.isKnown[row] = group && visit.isKnown;
                rows.isOpen[row] = counts < 2;
            }
        }
        for (let step = 0; step < depth; step++) {
            if (!(taken >> step & 1)) continue;
            this.counts[step]++;
            const times = timed[step];
            if (!times) continue;
            const i = times.next();
            times.group[i] = group;
            times.first[i] = chain.fromFirst[step];
            times.previous[i] = chain.fromPrevious[step];
        }
    }
    get unripe() { return {open: this.open, late: this.all - this.mature}; }
    fill(data) { return forEachChain(data, this.d, null, this.add.bind(this)); }
    // The names of the groups by falling size; groupOf: of each code the index of its group.
    groupNames(breakdown) {
        const {rows} = this, sizes = uints(breakdown.codeCount), groupOf = this.groupOf = sizes.slice();
        for (let row = 0; row < rows.count; row++) sizes[rows.group[row]]++;
        const groups = breakdown.groups([...sizes.entries()].filter(([, size]) => size));
        groups.forEach(({codes}, i) => { for (const code of codes) groupOf[code] = i; });
        this.parts = groups.map(({size}) => new FunnelTally(this.d, [size]));
        return groups.map(({name}) => name);
    }
    groups(breakdown) {
        const names = this.groupNames(breakdown), {parts, groupOf} = this;
        this.timed.forEach(({count, group, first, previous}, step) => {
            const {starts, list} = inOrder(picked(groupOf, group, count), parts.length);
            parts.forEach(({counts, timed}, p) => {
                const own = list.subarray(starts[p]), size = counts[step] = starts[p + 1] - starts[p];
                timed[step] = {first: picked(first, own, size), previous: picked(previous, own, size)};
            });
        });
        return names.map((name, i) => [name, parts[i]]);
    }
}
const versusRest = (groups, claims, d) => {
    const all = groups.filter(([name]) => name !== NONE).map(([, {share}]) => share), {converted, entered} = together(all);
    return groups.map(([name, {share}], i) => {
        if (!isValue(name) || all.length < 2) return null;
        const {p_value, q_value} = claims[i], rest = shareJSON(converted - share.converted, entered - share.entered);
        return {...difference(share, rest), ...(d.count !== "users" || d.by === "session") && {ci95: null}, p_value, q_value};
    });
};
// What every definition ends with.
const commonJSON = (data, {since, until, breakdown}) => ({
    since_ms: since, until_ms: until, ...breakdown && {breakdown: breakdown.text, top: breakdown.top},
    ...!data.head.identify && {identify: false},
});
const definitionJSON = (data, d) => ({
    steps: d.steps.map((step) => ({name: titleOf(step), filter: filterOf(step), optional: step.optional})),
    window_ms: d.window, step_window_ms: d.stepWindow, order: d.order, by: d.by, ties: "any", count: d.count, dedupe: "id", hold: null,
    exclusions: d.exclusions.map((one) => ({
        name: titleOf(one), filter: filterOf(one), from_step: one.range?.[0] ?? 1, to_step: one.range?.[1] ?? d.steps.length,
        spoils: one.spoils,
    })),
    compat: null, mature: d.mature, ...commonJSON(data, d),
});
const funnel = (data, d) => {
    const tally = new StartTally(d), {breakdown, until} = tally.fill(data);
    const {steps, share, unripe} = tally, groups = breakdown ? tally.groups(breakdown) : [];
    const claims = claimsOf(data, tally, groups.map(([name]) => name));
    const versus = versusRest(groups, claims, d);
    return {
        definition: definitionJSON(data, d), steps, overall: {...share, time_ms: steps[d.layout.last].from_first_ms},
        groups: groups.map(([value, own], i) => ({
            value, steps: own.steps, overall: own.share, versus_rest: versus[i],
            claim: claims[i] ? claimJSON(claims[i], null, value) : null,
        })),
        window_open: unripe.open,
        mature: tally.mature === 0 ? null : {
            until_ms: Math.min(d.until, until), ...shareJSON(tally.matureConverted, tally.mature), left_out: unripe.late,
        },
        unripe,
    };
};

// The keys behind a bar; of visits, their keys.
const users = (data, d, step, isDropped) => {
    const keys = new Set();
    let count = 0;
    forEachChain(data, d, null, (chain, key, group, _, counts) => {
        const has = (s) => chain.taken >> s & 1;
        if (!(counts & (d.mature ? 2 : 1))) return;
        if (isDropped ? !has(d.layout.previous[step - 1]) || chain.depth >= step : !has(step - 1)) return;
        count++;
        if (keys.size < 200) keys.add(key);
    });
    return {definition: definitionJSON(data, d), users: {step, dropped: isDropped, count, keys: [...keys]}};
};
const person = (data, key, by) => {
    const {starts, order: list} = data.keys(by), events = [];
    const text = ({values, ranges, codes}, event) =>
        values[codes[event] - 1] ?? ranges[codes[event] - values.length - 1]?.map((border) => border ?? "…").join(" – ") ?? OTHER;
    for (let i = starts[key]; i < starts[key + 1]; i++) {
        const event = list ? list[i] : i, held = data.props.filter((property) => data.codes(property)[event]);
        const props = Object.fromEntries(held.map((property) => [keysText(property.path), text(property, event)]));
        events.push({t_ms: data.times[event], name: data.head.names[data.names[event]], session: data.sessions[event] || null, props});
    }
    return {user: {key, id: by === "user" ? data.head.ids?.[key - 1] ?? null : null, events}};
};
