// MARK: Claims

const LEAST_VISITS = 30, LEAST_USERS = 20, LEAST_DIFFERENCE = 0.005, SEEN = 2.8, SIGNIFICANCE = 0.05, RELEASE = 0.1;
const makeClaim = (fields) => ({
    kind: "none", difference: null, ci95: null, p_value: null, q_value: null, unit: "visits", adjusted_for: [], refused: null,
    detectable: null, visits: 0, ...fields,
});
const holds = (claim) => ["fell", "rose", "less", "more"].includes(claim?.kind);
// Lets a claim hold if all guards do, and gives it its word.
const conclude = (claim, probability, crude, [less, more]) => {
    if (claim.refused || claim.difference === null || !(probability <= SIGNIFICANCE) || Math.abs(claim.difference) < LEAST_DIFFERENCE
        || claim.ci95[0] <= 0 && claim.ci95[1] >= 0) return;
    if (crude * claim.difference <= 0) claim.refused = "opposed";
    else claim.kind = claim.difference < 0 ? less : more;
};
const tenths = (share) => {
    const all = Math.round(Math.abs(share) * 1000);
    return `${share < 0 ? "−" : ""}${all === 0 && share !== 0 ? "<0.1" : `${Math.floor(all / 10)}.${all % 10}`}`;
};
const HELD = {weekday: "weekdays", day: "days", user: "users"};
// What is said of a claim; a trend has a day, and what its difference is a part of.
const claimWords = (claim, trend) => {
    const {difference, ci95, unit, adjusted_for: adjusted} = claim;
    if (claim.refused) {
        return `Nothing is concluded: ${{
            few_days: "too few days to tell a change from how days differ",
            no_overlap: "it shares no day with the others; `looptrail trend --mark DAY=NAME` compares before and after",
            opposed: `with ${adjusted.map((one) => HELD[one]).join(" and ")} held equal the difference has the other sign`,
            few_visits: `it takes 30 ${unit} of 20 users on either side`,
            unit: trend ? "it takes visits: --count visits" : "it takes visits that have their group when they begin",
        }[claim.refused]}.`;
    }
    if (!holds(claim)) {
        const seen = claim.detectable === null ? "" : `; one of ${tenths(Math.abs(claim.detectable))} points would be seen 8 times in 10`;
        return `${claim.kind === "steady" ? "Steady: no change" : "No difference"} that these ${unit} could show${seen}.`;
    }
    const [low, high] = difference < 0 ? [-ci95[1], -ci95[0]] : ci95, points = `${tenths(Math.abs(difference))} points`;
    const words = trend ? `Conversion ${claim.kind} on ${trend.at} by ${points} (${tenths(Math.abs(trend.relative))}%)`
        : `converts ${points} ${claim.kind} than the rest`;
    const held = [...adjusted].reverse().map((one) => `, same ${HELD[one]}`).join("");
    return `${words}${held}, 95% ${tenths(low)} to ${tenths(high)} (${unit}).`;
};
const claimJSON = ({visits, ...claim}, trend, name) => {
    const isHeld = holds(claim), sentence = claimWords(claim, trend);
    return {holds: isHeld, ...claim, sentence: isHeld && name !== undefined ? `${name} ${sentence}` : sentence};
};

// The parts that are held equal, with the size of each.
const stratum = (of, count) => {
    const sizes = new Float64Array(count);
    for (let i = 0; i < of.length; i++) sizes[of[i]]++;
    return {of, sizes, means: new Float64Array(count)};
};
// Takes the mean of each stratum away; of several kinds of strata in turn until nothing changes.
const centre = (values, strata) => {
    for (let round = 0, change = 1; round < 200 && change >= 1e-9; round++) {
        change = 0;
        for (const {of, sizes, means} of strata) {
            means.fill(0);
            for (let i = 0; i < values.length; i++) means[of[i]] += values[i];
            for (let i = 0; i < means.length; i++) {
                if (sizes[i]) means[i] /= sizes[i];
                if (strata.length > 1) change = Math.max(change, Math.abs(means[i]));
            }
            for (let i = 0; i < values.length; i++) values[i] -= means[of[i]];
        }
    }
    return values;
};
// More than all numbers of users; of a session of nobody that is behind them.
const usersOf = ({head}) => head.users + head.sessions + 1;
// The visits of a breakdown, to be divided in many ways.
class Question {
    constructor(data, tally, names) {
        const calendar = new Calendar(data, "day"), none = names.indexOf(NONE), {rows, groupOf, d} = tally;
        // Of each visit that has a value whose it is, its day, its group and whether it converted.
        const own = new Table({user: Uint32Array, day: Uint32Array, group: Uint32Array, converted: Uint8Array});
        const met = new Uint8Array(calendar.days.length);
        const numbers = new Uint32Array(usersOf(data));
        let known = 0, today = [0, 0, 0];
        this.userCount = 0;
        for (let row = 0; row < rows.count; row++) {
            const first = rows.first[row], group = groupOf[rows.group[row]];
            if (first < today[0] || first >= today[1]) today = [...calendar.period(first), calendar.day(first)];
            met[today[2]] = 1;
            known += rows.isKnown[row];
            if (group === none) continue;
            const i = own.next();
            own.user[i] = (numbers[rows.user[row]] ||= ++this.userCount) - 1;
            own.day[i] = today[2];
            own.group[i] = group;
            own.converted[i] = rows.taken[row] >> d.layout.last & 1;
        }
        for (const name of Object.keys(own.kinds)) this[name] = own[name].subarray(0, own.count);
        this.dayCount = 0;
        const ranks = Array.from(met, (isMet) => isMet ? this.dayCount++ : null);
        this.day = this.day.map((day) => ranks[day]);
        Object.assign(this, {names, groupCount: names.filter((name) => name !== NONE).length, centred: new Map()});
        this.isRelease = this.releases;
        this.asked = this.values = [...names.keys()].filter((i) => names[i] !== NONE && names[i] !== OTHER);
        this.refusal = d.breakdown.attribution === "first" && known * 20 >= rows.count * 19 ? null : "unit";
    }
    // Of each group whether it came or went between the first and the last third of the days.
    get releases() {
        const {day, dayCount, group, names} = this, third = Math.max(Math.floor(dayCount / 3), 1);
        const [before, after] = [0, 1].map(() => ({all: 0, own: new Float64Array(names.length)}));
        for (let i = 0; i < day.length; i++) {
            if (day[i] >= third && day[i] < dayCount - third) continue;
            const side = day[i] < third ? before : after;
            side.all++;
            side.own[group[i]]++;
        }
        const isMet = before.all > 0 && after.all > 0;
        return names.map((_, i) => isMet && Math.abs(after.own[i] / after.all - before.own[i] / before.all) >= RELEASE - 1e-12);
    }
    // The visits of all groups but some.
    without(left) {
        const isKept = (_, i) => !left.includes(this.group[i]), {user, day, group, converted} = this;
        const [users, days, groups, converting] = [user, day, group, converted].map((column) => column.filter(isKept));
        const kept = {user: users, day: days, group: groups, converted: converting};
        return Object.assign(Object.create(this), kept, {centred: new Map()});
    }
    // Days held equal, or users and days, and who converted with that taken away: the same for all groups.
    held(isRelease) {
        return entry(this.centred, isRelease, () => {
            const strata = [stratum(this.day, this.dayCount), ...isRelease ? [stratum(this.user, this.userCount)] : []];
            return {strata, y: centre(new Float64Array(this.converted), strata)};
        });
    }
    // By how much a group converts more than all others, with days, or users and days, held equal.
    difference(group) {
        const {user, converted, userCount} = this, n = user.length, isRelease = this.isRelease[group];
        const {strata, y} = this.held(isRelease);
        const [rest, own] = [0, 1].map(() => ({visits: 0, converted: 0, users: 0, met: new Uint8Array(userCount)}));
        const x = new Float64Array(n);
        for (let i = 0; i < n; i++) {
            const isOwn = this.group[i] === group, side = isOwn ? own : rest;
            x[i] = isOwn ? 1 : 0;
            side.visits++;
            side.converted += converted[i];
            side.users += 1 - side.met[user[i]];
            side.met[user[i]] = 1;
        }
        centre(x, strata);
        let square = 0, product = 0;
        for (let i = 0; i < n; i++) {
            square += x[i] * x[i];
            product += x[i] * y[i];
        }
        // What is left of an indicator that the strata explain is rounding.
        if (!(square > 1e-6)) return null;
        const value = product / square, sums = new Float64Array(userCount);
        for (let i = 0; i < n; i++) sums[user[i]] += x[i] * (y[i] - value * x[i]);
        let squares = 0, fourths = 0;
        for (const one of sums) {
            squares += one * one;
            fourths += one * one * one * one;
        }
        // So little is rounding, of which few degrees of freedom would make an interval.
        if (squares < 1e-20) squares = fourths = 0;
        // Where few users make most of the error, it is itself measured badly.
        const error = Math.sqrt(squares) / square, degrees = fourths > 0 ? Math.max(squares * squares / fourths - 1, 1e-9) : 1;
        const reach = studentReach(degrees) * error;
        return {
            value, error, isRelease, crude: own.converted / own.visits - rest.converted / rest.visits, visits: own.visits,
            p: value === 0 ? 1 : studentP(value / error, degrees), ci95: [value - reach, value + reach],
            isLarge: [own, rest].every(({visits, users}) => visits >= LEAST_VISITS && users >= LEAST_USERS),
        };
    }
    // Of each group a claim, and its difference.
    claims() {
        const all = [];
        for (const group of this.values) {
            const one = this.difference(group);
            all[group] = {one, claim: !one ? makeClaim({refused: this.refusal ?? "no_overlap"}) : makeClaim({
                difference: one.value, ci95: one.ci95, p_value: one.p, adjusted_for: one.isRelease ? ["user", "day"] : ["day"],
                detectable: SEEN * one.error, visits: one.visits, refused: this.refusal ?? (one.isLarge ? null : "few_visits"),
            })};
        }
        // Two that are all there is differ by the same: it is said of the one that converts less.
        const [first, second] = this.values, one = all[first]?.one;
        if (this.values.length === 2 && this.groupCount === 2 && one) this.asked = [one.value <= 0 ? first : second];
        return all;
    }
}
// For each question, of a breakdown each, a claim for each of its groups. Of all groups of all questions one claim in twenty is false.
const groupClaims = (questions) => {
    const all = questions.map((question) => question.claims());
    const asked = questions.flatMap((question, i) => question.asked.map((group) => all[i][group])).filter(({claim}) => !claim.refused);
    qValues(asked.map(({claim}) => claim.p_value)).forEach((q, i) => {
        asked[i].claim.q_value = q;
        conclude(asked[i].claim, q, asked[i].one.crude, ["less", "more"]);
    });
    const claims = all.map((list) => list.map(({claim}) => claim));
    // A claim stands if it holds without the surer ones, too: one bad group must not make the healthy ones look remarkable.
    questions.forEach((question, i) => {
        const found = [];
        for (const group of ranked(claims[i])) {
            const claim = claims[i][group], left = question.asked.filter((one) => !found.includes(one));
            const others = found.length ? question.without(found) : null, again = others ? left.map((one) => others.difference(one)) : [];
            const q = qValues(again.map((one) => one?.isLarge ? one.p : null));
            const at = left.indexOf(group);
            const stands = !found.length || q[at] !== null && q[at] <= SIGNIFICANCE && again[at].value * claim.difference > 0;
            if (stands) found.push(group);
            else claim.kind = "none";
        }
    });
    return claims;
};
// The indices of the claims that hold, the surest first.
const ranked = (claims) => [...claims.keys()].filter((i) => holds(claims[i])).sort((a, b) => claims[a].q_value - claims[b].q_value
    || claims[a].p_value - claims[b].p_value
    || Math.abs(claims[b].difference) * claims[b].visits - Math.abs(claims[a].difference) * claims[a].visits);
// What is said of each group: of a share's difference from all others, and what a claim makes of it.
const claimsOf = (data, tally, names) => {
    if (names.filter((name) => name !== NONE).length < 2) return names.map(() => null);
    if (tally.d.count !== "visits") {
        return names.map((name) => name === NONE || name === OTHER ? null : makeClaim({refused: "unit", unit: "users"}));
    }
    const [claims] = groupClaims([new Question(data, tally, names)]);
    return names.map((_, i) => claims[i] ?? null);
};
// The visits of a funnel by the values of a path; null where nothing can be claimed of them.
const questionOf = (data, asked, path) => {
    try {
        return answer(data, new Map([...asked, ["breakdown", path]]), (_, d) => {
            if (d.count !== "visits") return null;
            const tally = new StartTally(d, []), names = tally.groupNames(tally.fill(data).breakdown);
            return names.filter((name) => name !== NONE).length < 2 ? null : Object.assign(new Question(data, tally, names), {path});
        });
    } catch (error) {
        if (error instanceof Refused) return null;
        throw error;
    }
};
// The surest sentences about the values of all paths that were looked at.
const findings = (questions) => {
    const all = groupClaims(questions).flatMap((claims, i) => questions[i].values.map((group) =>
        ({claim: claims[group], path: questions[i].path, name: questions[i].names[group]})));
    return ranked(all.map(({claim}) => claim)).map((i) => all[i])
        .map(({claim, path, name}) => ({path, sentence: claimJSON(claim, null, name).sentence}));
};
