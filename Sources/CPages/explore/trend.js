// MARK: Calendar

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
        return date.slice(0, this.every === "month" ? 7 : 10) + (this.every === "hour" ? ` ${String(hour).padStart(2, "0")}:00` : "");
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
    const covered = end - start - Math.min(length(inside), end - start);
    return {since_ms: start, until_ms: end, covered_ms: covered, holes: inside, whole_days: whole};
};

// MARK: Trend

// The days of a trend as logits, with how much each weighs and which weekday it is.
class DailyTrend {
    constructor(days) { this.days = days; }
    static of(points) {
        const whole = points.filter((point) => point.complete && point.coverage?.whole_days && point.entered > 0);
        return new DailyTrend(whole.map(({start_ms: start, entered, converted, users, won}) => {
            const share = (converted + 0.5) / (entered + 1), weekday = Math.round((start - whole[0].start_ms) / DAY) % 7;
            const weight = entered * share * (1 - share);
            return {start, entered, converted, users, won, weekday, logit: Math.log(share / (1 - share)), weight};
        }));
    }
    // The step at a day, with weekdays held equal; null where too few days are left to see how they differ.
    step(at) {
        const {days} = this, sums = Array.from({length: 7}, () => ({weight: 0, after: 0, logit: 0}));
        days.forEach(({weekday, weight, logit}, i) => {
            sums[weekday].weight += weight;
            sums[weekday].logit += weight * logit;
            if (i >= at) sums[weekday].after += weight;
        });
        const degrees = days.length - sums.filter(({weight}) => weight > 0).length - 1;
        const centred = days.map((day, i) => {
            const {weight, after, logit} = sums[day.weekday];
            return {w: day.weight, x: (i >= at ? 1 : 0) - after / weight, y: day.logit - logit / weight};
        });
        const square = sum(centred, ({w, x}) => w * x * x);
        if (degrees <= 0 || !(square > 1e-9)) return null;
        const shift = sum(centred, ({w, x, y}) => w * x * y) / square, residual = sum(centred, ({w, x, y}) => w * (y - shift * x) ** 2);
        const error = Math.sqrt(Math.max(1, residual / degrees) / square);
        const base = days.map(({weekday}) => (sums[weekday].logit - shift * sums[weekday].after) / sums[weekday].weight);
        return {at, shift, error, degrees, base, t: Math.abs(shift / error)};
    }
    // The share that the visits from a step's day on have with a step of some size.
    share(shift, {at, base}) {
        const after = this.days.slice(at), all = sum(after, (day) => day.entered);
        return after.reduce((total, day, i) => total + day.entered / all / (1 + Math.exp(-base[at + i] - shift)), 0);
    }
    // How sure the step at a day is with users as clusters, and how many users are on either side.
    ofUsers(at, userCount) {
        const {days} = this, sums = Array.from({length: 7}, () => ({entered: 0, after: 0, converted: 0}));
        days.forEach(({weekday, entered, converted}, i) => {
            sums[weekday].entered += entered;
            sums[weekday].converted += converted;
            if (i >= at) sums[weekday].after += entered;
        });
        const centred = days.map(({weekday}, i) => {
            const {entered, after, converted} = sums[weekday];
            return {x: (i >= at ? 1 : 0) - after / entered, mean: converted / entered};
        });
        const square = sum(days, ({entered}, i) => entered * centred[i].x ** 2);
        const slope = sum(days, ({entered, converted}, i) => centred[i].x * (converted - entered * centred[i].mean)) / square;
        const errors = floats(userCount), met = [uints(userCount), uints(userCount)], users = [0, 0];
        days.forEach(({users: of, won}, i) => {
            const {x, mean} = centred[i], side = i < at ? 0 : 1;
            for (let row = 0; row < of.length; row++) {
                errors[of[row]] += x * (won(row) - mean - slope * x);
                if (!met[side][of[row]]) met[side][of[row]] = ++users[side];
            }
        });
        const all = sum(days, ({entered}) => entered), share = (sum(days, ({converted}) => converted) + 0.5) / (all + 1);
        return {...clustered(errors, square * share * (1 - share)), users};
    }
    // looks: how many steps were looked at.
    claim(step, looks, userCount) {
        const {days} = this, none = this.share(0, step), points = (shift) => this.share(shift, step) - none;
        const [before, after] = [days.slice(0, step.at), days.slice(step.at)].map((side) =>
            ({entered: sum(side, (day) => day.entered), converted: sum(side, (day) => day.converted)}));
        const ofUsers = this.ofUsers(step.at, userCount), p = ({error, degrees}) => step.shift ? studentP(step.shift / error, degrees) : 1;
        const size = p(ofUsers) > p(step) ? ofUsers : step, reach = studentReach(size.degrees) * size.error;
        const isLarge = [before, after].every(({entered}, i) => entered >= LEAST_VISITS && ofUsers.users[i] >= LEAST_USERS);
        const claim = makeClaim({
            difference: points(step.shift), ci95: [points(step.shift - reach), points(step.shift + reach)],
            p_value: Math.min(1, looks * p(size)), adjusted_for: ["weekday"],
            detectable: points(SEEN * Math.max(step.error, ofUsers.error)), visits: after.entered, refused: isLarge ? null : "few_visits",
        });
        conclude(claim, claim.p_value, after.converted / after.entered - before.converted / before.entered, ["fell", "rose"]);
        return {claim, at: days[step.at].start, relative: claim.difference / none};
    }
}
// What can be said of a trend by days, and of its marks.
const trendClaims = (points, marks, isVisits, mostUsers) => {
    const unasked = {claim: makeClaim({refused: "unit", unit: "users"})}, few = (kind) => ({claim: makeClaim({refused: "few_days", kind})});
    if (!isVisits) return [unasked, ...marks.map(() => unasked)];
    const daily = DailyTrend.of(points), {days} = daily;
    const steps = days.slice(3).map((_, i) => daily.step(i + 2)).filter((step) => step);
    const best = steps.reduce((a, b) => a && a.t >= b.t ? a : b, null);
    const verdict = days.length < 14 ? few("unsettled") : best ? daily.claim(best, days.length - 3, mostUsers) : few("none");
    if (verdict.claim.kind === "none" && !verdict.claim.refused) verdict.claim.kind = "steady";
    return [verdict, ...marks.map(([mark]) => {
        const at = days.findIndex((day) => day.start >= mark), split = at < 0 ? days.length : at;
        const before = days.slice(Math.max(split - 14, 0), split), after = days.slice(split, split + 14);
        const own = new DailyTrend([...before, ...after]);
        const step = before.length > 1 && after.length > 1 ? own.step(before.length) : null;
        return step ? own.claim(step, marks.length, mostUsers) : few("none");
    })];
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
        const own = met ?? empty, {shown} = own;
        return {
            start_ms: start, counts: shown.counts, ...shown.share, window_open: shown.open, left_out: own.all - own.mature,
            complete: isComplete(start, next), time_ms: shown.time(),
            coverage: met ? coverage(data, days, [start, next]) : null, users: own.rows.user.subarray(0, own.rows.count),
            won: (row) => own.rows.taken[row] >> d.layout.last & 1,
            groups: breakdown ? own.groups(breakdown).map(([value, {share}]) => ({value, ...share})) : [],
        };
    });
    const marks = isDaily ? data.head.marks : [], changes = isDaily ? trendClaims(points, marks, isVisits, usersOf(data)) : [];
    const [verdict = null, ...ofMarks] = changes.map(({claim, at = null, relative = null}) =>
        ({...claimJSON(claim, {at: at === null ? "" : days.label(at), relative}), at_ms: at, relative}));
    return {
        definition: definitionJSON(data, d), every, tz: data.head.tz,
        overall: isVisits ? shareJSON(...["converted", "entered"].map((name) => sum(points, (point) => point[name]))) : whole.shown.share,
        verdict,
        marks: marks.map(([ms, label], i) => ({ms, label, claim: ofMarks[i]})), alert: null,
        points: points.map(({users, ...point}) => point),
    };
};
