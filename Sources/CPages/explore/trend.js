// A date by days since 1970.
const civil = (days) => new Date(days * DAY);
// The periods of a calendar, by the days of the page.
class Calendar {
    constructor(data, every) {
        const {day_starts: days, first_day: first, tz} = data.head, begins = {
            day: () => true, week: (date) => date.getUTCDay() === 1, month: (date) => date.getUTCDate() === 1, hour: () => false,
        }[every];
        Object.assign(this, {days, every, firstDate: first, met: [], starts: days.filter((_, i) => begins(civil(first + i)))});
        if (every !== "hour") return;
        const isUneven = days.some((start, i) => i && (start - days[i - 1]) % 3600000);
        if (isUneven) refuse("--every hour", `in ${tz} some hours are not whole, and the page knows days only`);
        for (let time = days[0]; time <= days.at(-1); time += 3600000) this.starts.push(time);
    }
    // The number of the period that a time lies in.
    number(time) {
        const {days, starts} = this, last = starts.length - 1;
        if (!(time >= starts[0] && time < days.at(-1))) refuse("a period", "an event lies outside the days of this page");
        // Most periods have nearly the same length.
        let n = Math.min(Math.floor(last * (time - starts[0]) / (starts[last] - starts[0])), last);
        while (starts[n] > time) n--;
        while (starts[n + 1] <= time) n++;
        return n;
    }
    // Where the period of a time begins and ends, and its number.
    period(time) {
        const n = this.number(time);
        return this.met[n] ??= [this.starts[n], this.starts[n + 1] ?? Infinity, n];
    }
    label(start) {
        const {days} = this, index = Math.max(indexOf(days, days.length, start + 1) - 1, 0);
        const hour = Math.floor((start - days[index]) / 3600000);
        // A mark may lie outside the days of the page.
        const beyond = index === 0 || index + 1 === days.length ? Math.floor(hour / 24) : 0;
        const date = civil(this.firstDate + index + beyond).toISOString();
        // When clocks are set on a day is not known.
        const clock = days[index + 1] - days[index] === DAY ? ` ${String(hour).padStart(2, "0")}:00` : `, hour ${hour + 1}`;
        return date.slice(0, this.every === "month" ? 7 : 10) + (this.every === "hour" ? clock : "");
    }
}
// The numbers of some periods by time with those between them; none between if they were too many.
const filled = (numbers) => numbers.sort((a, b) => a - b).flatMap((n, i) => {
    const length = numbers[i + 1] - n;
    return Array.from({length: length <= 10000 ? length : 1}, (_, k) => n + k);
});
// How much of a time the data cover.
const coverage = (data, calendar, [start, end]) => {
    const {days, holes, silence_ms: limit} = data.head, first = days[0][1], last = days.at(-1)[2];
    const within = (list, from, to) => list.map(([a, b]) => [Math.max(a, from), Math.min(b, to)]).filter(([a, b]) => a < b);
    const inside = within([[-Infinity, first], ...holes, [last, Infinity]], start, end);
    const length = (list) => sum(list, ([from, to]) => to - from);
    let whole = 0;
    for (let time = start; time < end;) {
        const [from, to] = calendar.period(time);
        if (from >= start && to <= end && length(within(inside, from, to)) <= limit) whole++;
        time = to;
    }
    return {since_ms: start, until_ms: end, covered_ms: Math.max(end - start - length(inside), 0), holes: inside, whole_days: whole};
};

// MARK: Trend

// The days of a trend as logits, with how much each weighs and which weekday it is.
class DailyTrend {
    constructor(days) { this.days = days; }
    static of(points) {
        const whole = points.filter((point) => point.complete && point.coverage?.whole_days && point.entered > 0);
        return new DailyTrend(whole.map(({start_ms: start, entered, converted, users, won}) => {
            const share = (converted + 0.5) / (entered + 1), weekday = Math.round((start - whole[0].start_ms) / DAY) % 7;
            const weight = entered * share * (1 - share), logit = Math.log(share / (1 - share));
            return {start, entered, converted, users, won, weekday, logit, weight, rate: converted / entered};
        }));
    }
    // The visits before a day, and those from it on.
    sides(at) { return [this.days.slice(0, at), this.days.slice(at)].map(together); }
    // Whether either side has enough of them for a claim.
    hasVisits(at) { return this.sides(at).every(({entered}) => entered >= LEAST_VISITS); }
    // How far a value of the days shifts at one with weekdays held equal; for each day the means of its weekday, and x and y without them.
    fit(at, value, weight) {
        const all = this.days.map((day, i) => ({weekday: day.weekday, w: day[weight], x: i < at ? 0 : 1, y: day[value]}));
        const means = Array.from({length: 7}, (_, weekday) => {
            const own = all.filter((row) => row.weekday === weekday), total = sumOf(own, "w");
            return {x: sum(own, ({w, x}) => w * x) / total, y: sum(own, ({w, y}) => w * y) / total};
        });
        const rows = all.map(({weekday, w, x, y}) => ({w, x: x - means[weekday].x, y: y - means[weekday].y, mean: means[weekday]}));
        const square = sum(rows, ({w, x}) => w * x * x);
        return {rows, square, shift: sum(rows, ({w, x, y}) => w * x * y) / square};
    }
    // The step at a day; null where too few days are left to see how they differ.
    step(at) {
        const {days} = this, {rows, square, shift} = this.fit(at, "logit", "weight");
        const degrees = days.length - new Set(days.map((day) => day.weekday)).size - 1;
        if (degrees <= 0 || !(square > 1e-9)) return null;
        const residual = sum(rows, ({w, x, y}) => w * (y - shift * x) ** 2), error = Math.sqrt(Math.max(1, residual / degrees) / square);
        return {at, shift, error, degrees, base: rows.map(({mean}) => mean.y - shift * mean.x), t: Math.abs(shift / error)};
    }
    // The share that the visits from a step's day on have with a step of some size.
    share(shift, {at, base}) {
        const after = this.days.slice(at), all = sumOf(after, "entered");
        return after.reduce((total, day, i) => total + day.entered / all / (1 + Math.exp(-base[at + i] - shift)), 0);
    }
    // How sure the step at a day is with users as clusters, and how many users are on either side.
    ofUsers(at, userCount) {
        const {days} = this, {rows, square, shift} = this.fit(at, "rate", "entered");
        const errors = floats(userCount), met = [uints(userCount), uints(userCount)], users = [0, 0];
        days.forEach(({users: of, won}, i) => {
            const {x, mean} = rows[i], side = i < at ? 0 : 1;
            for (let row = 0; row < of.length; row++) {
                errors[of[row]] += x * (won(row) - mean.y - shift * x);
                if (!met[side][of[row]]) met[side][of[row]] = ++users[side];
            }
        });
        const {entered, converted} = together(days), share = (converted + 0.5) / (entered + 1);
        return {...clustered(errors, square * share * (1 - share)), users};
    }
    // looks: how many steps were looked at.
    claim(step, looks, userCount) {
        const {at} = step, none = this.share(0, step), points = (shift) => this.share(shift, step) - none;
        const [before, after] = this.sides(at), {rate} = together(this.days);
        const ofUsers = this.ofUsers(at, userCount), p = ({error, degrees}) => studentP(step.shift / error, degrees);
        const size = p(ofUsers) > p(step) ? ofUsers : step, reach = studentReach(size.degrees) * size.error;
        const isLarge = this.hasVisits(at) && ofUsers.users.every((n) => n >= LEAST_USERS);
        // Near 0 and 1 the error of these visits is not that of a changed share.
        const least = Math.min(rate, 1 - rate) < 0.05 ? null : seen([step, ofUsers], looks);
        const claim = makeClaim({
            difference: points(step.shift), ci95: [points(step.shift - reach), points(step.shift + reach)],
            p_value: Math.min(1, looks * p(size)), adjusted_for: ["weekday"], visits: after.entered,
            detectable: least && Math.max(points(least), -points(-least)), refused: isLarge ? null : "few_visits",
        });
        conclude(claim, claim.p_value, after.rate - before.rate, ["fell", "rose"]);
        return {claim, at: this.days[at].start, relative: claim.difference / none};
    }
}
// What can be said of a trend by days, and of its marks.
const trendClaims = (points, marks, isVisits, mostUsers) => {
    const none = (refused, more) => ({claim: makeClaim({refused, ...more})});
    if (!isVisits) return [null, ...marks].map(() => none("unit", {unit: "users"}));
    const daily = DailyTrend.of(points), {days} = daily, marked = new Map();
    const steps = [...days.keys()].slice(2, -1).filter((at) => daily.hasVisits(at)).flatMap((at) => daily.step(at) ?? []);
    const best = steps.reduce((a, b) => a && a.t >= b.t ? a : b, null);
    const verdict = days.length < 14 ? none("few_days", {kind: "unsettled"})
        : best ? daily.claim(best, steps.length, mostUsers) : none("few_visits");
    if (verdict.claim.kind === "none" && !verdict.claim.refused) verdict.claim.kind = "steady";
    let looks = 0;
    days.forEach(({start}, at) => {
        if (!marks.some(([mark]) => mark === start)) return;
        const before = days.slice(Math.max(at - 14, 0), at), after = days.slice(at, at + 14), own = new DailyTrend([...before, ...after]);
        const step = before.length > 1 && after.length > 1 && own.step(before.length);
        if (step) looks += own.hasVisits(step.at);
        // Asked when all looks are counted.
        marked.set(start, () => step ? own.claim(step, looks || 1, mostUsers) : none("few_days"));
    });
    return [verdict, ...marks.map(([mark]) => marked.get(mark)?.() ?? none("coverage"))];
};
const trend = (data, d, every) => {
    const calendar = new Calendar(data, every), isDaily = every === "day", isVisits = d.count === "visits", tallies = new Map();
    const days = new Calendar(data, "day"), whole = new StartTally(d, []), timed = [d.layout.last].filter((step) => step);
    const {breakdown, end, until} = forEachChain(data, d, (time) => calendar.period(time), (chain, key, group, period, counts, visit) => {
        const tally = period === null ? whole : entry(tallies, period[2], () => new StartTally(d, timed));
        tally.add(chain, group, counts, visit);
    });
    const isComplete = (start, next) => d.since <= start && next <= Math.min(d.until, until === Infinity ? end + 1 : until);
    // One tally stands for all periods without a start.
    const empty = new StartTally(d, timed);
    const points = filled([...tallies.keys()]).map((n) => {
        const start = calendar.starts[n], next = calendar.starts[n + 1] ?? Infinity, met = tallies.get(n);
        const own = met ?? empty, {shown, rows} = own;
        return {
            start_ms: start, counts: shown.counts, ...shown.share, window_open: shown.open, left_out: own.all - own.mature,
            complete: isComplete(start, next), time_ms: shown.time(),
            coverage: met ? coverage(data, days, [start, next]) : null, users: rows.user.subarray(0, rows.count),
            won: (row) => rows.taken[row] >> d.layout.last & 1,
            groups: breakdown ? own.groups(breakdown).map(([value, {share}]) => ({value, ...share})) : [],
        };
    });
    const marks = isDaily ? data.head.marks : [], changes = isDaily ? trendClaims(points, marks, isVisits, usersOf(data)) : [];
    const [verdict = null, ...ofMarks] = changes.map(({claim, at = null, relative = null}) =>
        ({...claimJSON(claim, {at: at === null ? "" : days.label(at), relative}), at_ms: at, relative}));
    // Neither may deny the other.
    if (ofMarks.some((claim) => claim.holds)) {
        verdict.sentence = verdict.sentence.replace("Steady: no", "Steady but for the marks: no other");
    }
    return {
        definition: definitionJSON(data, d), every, tz: data.head.tz,
        overall: isVisits ? together(points) : whole.shown.share,
        verdict,
        marks: marks.map(([ms, label], i) => ({ms, label, claim: ofMarks[i]})), alert: null,
        points: points.map(({users, ...point}) => point),
    };
};
