const retention = (data, q) => {
    const calendar = new Calendar(data, q.every), breakdown = q.breakdown && new Breakdown(data, q.breakdown), end = data.end(7 * DAY);
    // For each cohort, by its period's number, and each value how many began and how many came back in each period.
    const rows = new Map(), periods = [...Array(q.periods + 1).keys()];
    forEachKey(data, {steps: [q.start, q.back], exclusions: [], by: q.by}, breakdown?.codes, (_, key) => {
        let first = 0;
        while (first < key.count && !(key.steps[first] & 1)) first++;
        const began = key.times[first];
        if (first === key.count || began < q.since || began >= q.until) return;
        const n = calendar.number(began), cells = entry(rows, n, () => new Map());
        const group = !breakdown ? 0 : q.breakdown.attribution === 1 ? breakdown.atTime(began, key, 1) : breakdown.endValue(key);
        const cell = entry(cells, group, () => ({size: 0, retained: periods.map(() => 0)}));
        cell.size++;
        for (let i = first, k = 0, last = -1; i < key.count; i++) {
            if (!(key.steps[i] & 2) || key.times[i] <= began) continue;
            while (k <= q.periods && key.times[i] >= calendar.start(n + k + 1)) k++;
            if (k > q.periods) break;
            if (k > last) cell.retained[last = k]++;
        }
    });
    const known = [...rows.keys()].sort((a, b) => a - b), numbers = known.at(-1) - known[0] < MOST_FILLED ? filled(known) : known;
    const cohorts = (groups) => {
        const list = numbers.map((n) => {
            const cells = [...rows.get(n) ?? []].filter(([group]) => !groups || groups.has(group)).map(([, cell]) => cell);
            const retained = periods.map((k) => calendar.start(n + k + 1) - 1 <= end ? sum(cells, (cell) => cell.retained[k]) : null);
            return {start_ms: calendar.start(n), size: sumOf(cells, "size"), retained};
        });
        const average = periods.map((k) => {
            const complete = list.filter((cohort) => cohort.retained[k] !== null), size = sumOf(complete, "size");
            return size ? sum(complete, (cohort) => cohort.retained[k]) / size : null;
        });
        return {cohorts: list, average};
    };
    const sizes = new Map(), rank = ({name}) => [NONE, OTHER].indexOf(name);
    for (const row of rows.values()) for (const [code, cell] of row) sizes.set(code, (sizes.get(code) ?? 0) + cell.size);
    const groups = breakdown?.groups(sizes).sort((a, b) => rank(a) - rank(b)) ?? [];
    return {
        definition: {
            start: patternText(q.start), return: patternText(q.back), every: q.every, periods: q.periods, tz: data.head.tz, by: q.by,
            ...commonJSON(data, q),
        }, end_ms: end, ...cohorts(null), groups: groups.map(({name, codes}) => ({value: name, ...cohorts(new Set(codes))})),
    };
};

// MARK: Paths

// Follows each key into a tree of what comes next, or what came before.
class PathFollower {
    constructor(data, q) {
        const {names, days} = data.head;
        Object.assign(this, {data, q, root: this.node(), open: 0, from: data.numberOf(q.name)});
        // Where the data begin or end: how a path near it went on is not known.
        this.edge = q.isBack ? days[0][1] : data.end(q.window);
        // In one millisecond the event asked about comes first, in either direction, then the others by name.
        this.ranks = [];
        [...names.keys()].sort((a, b) => order(names[a], names[b])).forEach((name, rank) => { this.ranks[name] = rank; });
        this.ranks[this.from] = q.isBack ? names.length : -1;
    }
    node() { return {count: 0, ends: 0, children: new Map(), times: []}; }
    // Takes a key's events, which stand in the page from one index to another, or in a list.
    follow(list, from, to) {
        const {q, data: {names, times}} = this, by = q.isBack ? -1 : 1, wanted = this.from, own = [];
        let first = from;
        while (first < to && names[list ? list[first] : first] !== wanted) first++;
        for (let i = from; first < to && i < to; i++) own.push(list ? list[i] : i);
        // Events stand by time; those of one millisecond are put in order.
        if (own.some((event, i) => i > 0 && times[event] === times[own[i - 1]])) {
            own.sort((a, b) => times[a] - times[b] || this.ranks[names[a]] - this.ranks[names[b]]);
        }
        for (let s = 0; s < own.length; s++) {
            const start = times[own[s]];
            if (names[own[s]] !== wanted || start < q.since || start >= q.until) continue;
            let node = this.root, last = own[s], depth = 0;
            node.count++;
            for (let i = s + by; depth < q.depth && i >= 0 && i < own.length && Math.abs(times[own[i]] - start) <= q.window; i += by) {
                const name = names[own[i]];
                if (q.merges && name === names[last]) continue;
                node = entry(node.children, name, this.node);
                node.count++;
                node.times.push(Math.abs(times[own[i]] - times[last]));
                last = own[i];
                depth++;
            }
            if (depth < q.depth) {
                node.ends++;
                if (by * (this.edge - start) < q.window) this.open++;
            }
            if (q.count === "users") return;
        }
    }
    nodes(node) {
        const {q, root, data: {head: {names}}} = this;
        const children = [...node.children].sort((a, b) => b[1].count - a[1].count || order(names[a[0]], names[b[0]]));
        const shown = children.filter(([, one], i) => i < q.top && one.count >= q.share * root.count), rest = children.slice(shown.length);
        const row = (name, kind, count, times, after) => ({
            name, kind, count, of_starts: count / root.count, of_previous: count / node.count, from_previous_ms: distribution(times),
            [q.isBack ? "previous" : "next"]: after,
        });
        const rows = shown.map(([name, one]) => row(names[name], "event", one.count, one.times, this.nodes(one)));
        if (rest.length) rows.push(row(OTHER, "other", sum(rest, ([, one]) => one.count), rest.flatMap(([, one]) => one.times), []));
        const edge = q.isBack ? "start" : "end";
        if (node.ends) rows.push(row(`(${edge})`, edge, node.ends, [], []));
        return rows;
    }
}
const paths = (data, q) => {
    const follower = new PathFollower(data, q), {count, starts, order: list} = data.keys(q.by);
    for (let k = 1; follower.from >= 0 && k <= count; k++) follower.follow(list, starts[k], starts[k + 1]);
    return {
        definition: {
            [q.isBack ? "to" : "from"]: q.name, window_ms: q.window, depth: q.depth, by: q.by, count: q.count, merge_repeats: q.merges,
            top: q.top, min_share: q.share, ...commonJSON(data, q),
        }, starts: follower.root.count, window_open: follower.open, [q.isBack ? "previous" : "next"]: follower.nodes(follower.root),
    };
};
