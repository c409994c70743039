// The periods of a calendar, by the days of the page.
class Calendar {
    constructor(data, every) {
        const {day_starts: days, first_day: first, tz} = data.head, begins = {
            // A date that a zone passed over has no time.
            day: (_, i) => days[i] !== days[i + 1], hour: (_, i) => i === 0,
            week: (date) => date.getUTCDay() === 1, month: (date) => date.getUTCDate() === 1,
        }[every];
        const starts = days.filter((_, i) => begins(new Date((first + i) * DAY), i));
        // In UTC these are equally long, also at a wild time.
        const length = tz === "UTC" && {hour: 3600000, day: DAY, week: 7 * DAY}[every];
        Object.assign(this, {days, every, starts, length, first, met: []});
        if (length || every !== "hour") return;
        if (days.some((start, i) => i && (start - days[i - 1]) % 3600000)) {
            refuse("--every hour", `in ${tz} some hours are not whole, and the page knows days only`);
        }
        while (starts.at(-1) < days.at(-1)) starts.push(starts.at(-1) + 3600000);
    }
    start(n) { return this.length ? this.starts[0] + n * this.length : this.starts[n]; }
    // The number of the period that a time lies in.
    number(time) {
        const {days, starts, length} = this;
        if (length) return Math.floor((time - starts[0]) / length);
        if (!(time >= starts[0] && time < days.at(-1))) {
            refuse("a period", "an event lies outside the days of this page: since and until can leave it out");
        }
        return lastOf(starts, time);
    }
    // Where the period of a time begins and ends, and its number.
    period(time) {
        const n = this.number(time);
        return this.met[n] ??= [this.start(n), this.start(n + 1) ?? Infinity, n];
    }
    label(start) {
        const {days, every} = this, index = Math.max(lastOf(days, start), 0), isHour = every === "hour";
        const midnight = (this.first + index) * DAY, civil = midnight + start - days[index];
        // When clocks are set on a day is not known.
        if (isHour && !this.length && days[index + 1] - days[index] !== DAY) {
            return `${momentText(midnight).slice(0, 10)}, hour ${Math.floor((civil - midnight) / 3600000) + 1}`;
        }
        // Outside the days of the page midnight may have moved by an hour.
        const [date, clock] = momentText(isHour ? civil : Math.round(civil / DAY) * DAY).split(" ");
        return every === "month" ? date.slice(0, -3) : isHour ? `${date} ${clock.slice(0, 5)}` : date;
    }
}
const MOST_FILLED = 10000;
// The numbers of periods by time, with those between unless too many.
const filled = (numbers) => numbers.sort((a, b) => a - b).reduce((all, n) => {
    const next = all.length ? all.at(-1) + 1 : n;
    for (let k = n - next > MOST_FILLED - all.length ? n : next; k <= n; k++) all.push(k);
    return all;
}, []);
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

// The days of a trend as logits, with weights and weekdays.
class DailyTrend {
    constructor(days) { this.days = days; }
    static of(points) {
        const whole = points.filter((point) => point.isCovered && point.coverage?.whole_days && point.entered > 0);
        return new DailyTrend(whole.map((point) => {
            const {start_ms: start, entered, converted} = point, share = (converted + 0.5) / (entered + 1), weight = share * (1 - share);
            const weekday = Math.round((start - whole[0].start_ms) / DAY) % 7, logit = Math.log(share / (1 - share));
            return {...point, start, weekday, logit, weight: entered * weight};
        }));
    }
    // The visits before a day, and those from it on.
    sides(at) {
        return [this.days.slice(0, at), this.days.slice(at)].map((days) => ({...together(days), weight: sumOf(days, "weight")}));
    }
    hasVisits(at) { return this.sides(at).every(({entered}) => entered >= LEAST_VISITS); }
    // How far a value shifts at a day with weekdays held equal; for each day its weekday's means, and x and y without them.
    fit(at, value, weight) {
        const all = this.days.map((day, i) => ({weekday: day.weekday, w: day[weight], x: i < at ? 0 : 1, y: day[value]}));
        const means = Array.from({length: 7}, (_, weekday) => {
            const own = all.filter((row) => row.weekday === weekday), total = sumOf(own, "w");
            const mean = (key) => sum(own, (row) => row.w * row[key]) / total;
            return {x: mean("x"), y: mean("y")};
        });
        const rows = all.map(({weekday, w, x, y}) => ({w, x: x - means[weekday].x, y: y - means[weekday].y, mean: means[weekday]}));
        const square = sum(rows, ({w, x}) => w * x * x);
        return {rows, square, shift: sum(rows, ({w, x, y}) => w * x * y) / square};
    }
    // The step at a day; null where too few days are left to see how they differ.
    step(at) {
        const {days} = this, {rows, square, shift} = this.fit(at, "logit", "weight");
        const degrees = days.length - new Set(days.map(({weekday}) => weekday)).size - 1;
        if (degrees <= 0 || !(square > 1e-9)) return null;
        const residual = sum(rows, ({w, x, y}) => w * (y - shift * x) ** 2), error = Math.sqrt(Math.max(1, residual / degrees) / square);
        return {at, error, degrees, t: Math.abs(shift / error)};
    }
    // How much more convert from a day on, with users as clusters, and each side's users.
    ofUsers(at, userCount) {
        const {days} = this, {rows, square, shift} = this.fit(at, "rate", "entered");
        const errors = floats(userCount), met = [userCount, userCount].map(uints), users = [0, 0];
        days.forEach(({rows: {count, user, converted}}, i) => {
            const {x, mean} = rows[i], side = i < at ? 0 : 1;
            for (let row = 0; row < count; row++) {
                errors[user[row]] += x * (converted[row] - mean.y - shift * x);
                met[side][user[row]] ||= ++users[side];
            }
        });
        return {...clustered(errors, square), shift, users};
    }
    // looks: how many steps were looked at.
    claim(step, looks, userCount) {
        const {at, degrees} = step, sides = this.sides(at), [before, after] = sides, ofUsers = this.ofUsers(at, userCount);
        // By the delta method each side's share adds its part to the error.
        const parts = sum(sides, ({weight, entered}) => weight / entered ** 2) / sum(sides, ({weight}) => 1 / weight);
        const both = [ofUsers, {error: step.error * Math.sqrt(parts), degrees}], {shift} = ofUsers, base = after.rate - shift;
        const isLarge = this.hasVisits(at) && ofUsers.users.every((n) => n >= LEAST_USERS), {rate} = together(this.days);
        const claim = measured(shift, both, isLarge, null, {adjusted_for: ["weekday"], visits: after.entered}, looks);
        // Near 0 and 1 a changed share has another error.
        if (claim.ci95 && Math.min(rate, 1 - rate) >= 0.05) claim.detectable = seen(both, looks);
        const [users, days] = both.map((one) => reachOf([one], looks));
        conclude(claim, claim.p_value, after.rate - before.rate, ["fell", "rose"], days > users ? "few_days" : "few_visits");
        // A change that holds has the interval of its own day.
        if (holds(claim)) claim.ci95 = measured(shift, both, true).ci95;
        return {claim, at: this.days[at].start, relative: claim.ci95 && base > 1e-9 ? shift / base : null};
    }
}
// What can be said of a trend by days, and of its marks.
const trendClaims = (points, marks, isVisits, mostUsers) => {
    const none = (refused, more) => ({claim: makeClaim({refused, ...more})});
    if (!isVisits) return [null, ...marks].map(() => none("unit", {unit: "users"}));
    const daily = DailyTrend.of(points), {days} = daily, marked = new Map();
    const steps = [...days.keys()].slice(2, -1).filter((at) => daily.hasVisits(at)).flatMap((at) => daily.step(at) ?? []);
    const best = steps.reduce((a, b) => a && a.t >= b.t ? a : b, null);
    const verdict = days.length < 14 ? none("few_days")
        : best ? daily.claim(best, steps.length, mostUsers) : none("few_visits"), {claim} = verdict;
    if (!holds(claim)) claim.kind = {null: "steady", few_days: "unsettled"}[claim.refused] ?? "none";
    let looks = 0;
    days.forEach(({start}, at) => {
        if (!marks.some(([mark]) => mark === start)) return;
        const split = Math.min(at, 14), own = new DailyTrend(days.slice(at - split, at + 14));
        const step = split > 1 && own.days.length > split + 1 && own.step(split);
        if (step) looks += own.hasVisits(step.at);
        // Asked when all looks are counted.
        marked.set(start, () => step ? own.claim(step, looks || 1, mostUsers) : none("few_days"));
    });
    return [verdict, ...marks.map(([mark]) => marked.get(mark)?.() ?? none("coverage"))];
};
const trend = (data, d, every) => {
    const calendar = new Calendar(data, every), isDaily = every === "day", isVisits = d.count === "visits", tallies = [];
    const days = new Calendar(data, "day"), whole = new StartTally(d, []), timed = [d.layout.last].filter(Boolean);
    const {breakdown, end, until, covered} = forEachChain(data, d, (time) => calendar.period(time),
        (chain, key, group, period, counts, visit) => {
        // A visit has its period. A user comes without one, too.
        if (visit || !period) whole.add(chain, key, 0, null, counts);
        if (period) (tallies[period[2]] ??= new StartTally(d, timed)).add(chain, key, group, period, counts, visit);
    });
    // Periods without a start share a tally.
    const empty = new StartTally(d, timed);
    const points = filled(Object.keys(tallies).map(Number)).map((n) => {
        const [start, next] = calendar.period(calendar.start(n)), own = tallies[n] ?? empty, {rows} = own;
        const complete = d.since <= start && next <= Math.min(d.until, until === Infinity ? end + 1 : until);
        return {
            start_ms: start, counts: own.counts, ...own.share, window_open: own.open, left_out: own.unripe.late,
            complete, isCovered: complete && next <= covered, time_ms: own.time(),
            coverage: own === empty ? null : coverage(data, days, [start, next]), rows,
            groups: breakdown ? own.groups(breakdown).map(([value, {share}]) => ({value, ...share})) : [],
        };
    });
    const marks = isDaily ? data.head.marks : [], changes = isDaily ? trendClaims(points, marks, isVisits, usersOf(data, d)) : [];
    const [verdict = null, ...ofMarks] = changes.map(({claim, at = null, relative = null}) =>
        ({...claimJSON(claim, {at: at === null ? "" : days.label(at), relative}), at_ms: at, relative}));
    // Neither may deny the other.
    if (ofMarks.some(({holds}) => holds)) {
        verdict.sentence = verdict.sentence.replace("Steady: no", "Steady but for the marks: no other");
    }
    return {
        unripe: whole.unripe, definition: definitionJSON(data, d), every, tz: data.head.tz, overall: whole.share, verdict,
        marks: marks.map(([ms, label], i) => ({ms, label, claim: ofMarks[i]})), alert: null,
        points: points.map(({rows, isCovered, ...point}) => point),
    };
};
