// MARK: Claims

const LEAST_VISITS = 30, LEAST_USERS = 20, LEAST_DIFFERENCE = 0.005, SEEN = 2.8, SIGNIFICANCE = 0.05, RELEASE = 0.1;
const makeClaim = (fields) => ({
    kind: "none", difference: null, ci95: null, p: null, q: null, unit: "visits", adjusted: [], refused: null, detectable: null, visits: 0,
    ...fields,
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
    const {difference, ci95, unit, adjusted} = claim;
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
const claimJSON = (claim, trend, name) => ({
    holds: holds(claim), kind: claim.kind, difference: claim.difference, ci95: claim.ci95, p_value: claim.p, q_value: claim.q,
    unit: claim.unit, adjusted_for: claim.adjusted, refused: claim.refused, detectable: claim.detectable,
    sentence: (holds(claim) && name !== undefined ? `${name} ` : "") + claimWords(claim, trend),
});

// Takes the mean of each stratum away; of several kinds of strata in turn until nothing changes.
const centre = (values, weights, strata) => {
    for (let round = 0, change = 1; round < 200 && change >= 1e-9; round++) {
        change = 0;
        for (const {of, count} of strata) {
            const means = new Float64Array(count), totals = new Float64Array(count);
            for (let i = 0; i < values.length; i++) {
                means[of[i]] += weights[i] * values[i];
                totals[of[i]] += weights[i];
            }
            for (let i = 0; i < count; i++) {
                if (totals[i]) means[i] /= totals[i];
                if (strata.length > 1) change = Math.max(change, Math.abs(means[i]));
            }
            for (let i = 0; i < values.length; i++) values[i] -= means[of[i]];
        }
    }
};
// The visits of a breakdown, to be divided in many ways.
class Question {
    constructor(data, tally, groups) {
        const calendar = new Calendar(data, "day"), none = groups.findIndex(([name]) => name === NONE), {groupOf} = tally;
        const {visits} = tally, all = visits.user.length, days = new Int32Array(all), rows = new Uint32Array(all);
        let known = 0, kept = 0, today = [0, 0, 0];
        for (let i = 0; i < all; i++) {
            const first = visits.first[i];
            if (first < today[0] || first >= today[1]) today = [...calendar.period(first), calendar.day(first)];
            days[i] = today[2];
            known += visits.isKnown[i];
            if (groupOf.get(visits.group[i]) !== none) rows[kept++] = i;
        }
        const ranks = new Map([...new Set(days)].sort((a, b) => a - b).map((day, rank) => [day, rank]));
        // Of each visit that has a value whose it is, its day, its group and whether it converted.
        const column = (Kind, of) => {
            const values = new Kind(kept);
            for (let i = 0; i < kept; i++) values[i] = of(rows[i]);
            return values;
        };
        this.user = column(Uint32Array, (i) => visits.user[i]);
        this.userCount = data.head.users + data.head.sessions + 1;
        this.day = column(Uint32Array, (i) => ranks.get(days[i]));
        this.dayCount = ranks.size;
        this.group = column(Uint32Array, (i) => groupOf.get(visits.group[i]));
        this.converted = column(Uint8Array, (i) => visits.converted[i]);
        this.names = groups.map(([name]) => name);
        this.values = [...groups.keys()].filter((i) => this.names[i] !== NONE && this.names[i] !== OTHER);
        this.asked = this.values;
        this.refusal = tally.d.breakdown.attribution === "first" && known * 20 >= all * 19 ? null : "unit";
    }
    // Whether a group came or went between the first and the last third of the days.
    isRelease(group) {
        const third = Math.max(Math.floor(this.dayCount / 3), 1), own = [0, 0], all = [0, 0];
        for (let i = 0; i < this.day.length; i++) {
            if (this.day[i] >= third && this.day[i] < this.dayCount - third) continue;
            const side = this.day[i] < third ? 0 : 1;
            all[side]++;
            if (this.group[i] === group) own[side]++;
        }
        return all[0] > 0 && all[1] > 0 && Math.abs(own[1] / all[1] - own[0] / all[0]) >= RELEASE - 1e-12;
    }
    // By how much a group converts more than all others but some, with days, or users and days, held equal.
    difference(group, left = []) {
        const n = this.user.length, x = new Float64Array(n), y = Float64Array.from(this.converted), weights = new Uint8Array(n);
        const [rest, own] = [0, 1].map(() => ({visits: 0, converted: 0, users: 0, met: new Uint8Array(this.userCount)}));
        const isRelease = this.isRelease(group);
        for (let i = 0; i < n; i++) {
            if (left.length && left.includes(this.group[i])) continue;
            const isOwn = this.group[i] === group, side = isOwn ? own : rest, user = this.user[i];
            x[i] = isOwn ? 1 : 0;
            weights[i] = 1;
            side.visits++;
            side.converted += y[i];
            side.users += 1 - side.met[user];
            side.met[user] = 1;
        }
        const strata = [{of: this.day, count: this.dayCount}, ...isRelease ? [{of: this.user, count: this.userCount}] : []];
        centre(x, weights, strata);
        centre(y, weights, strata);
        let square = 0, product = 0;
        for (let i = 0; i < n; i++) {
            square += weights[i] * x[i] * x[i];
            product += weights[i] * x[i] * y[i];
        }
        // What is left of an indicator that the strata explain is rounding.
        if (!(square > 1e-6)) return null;
        const value = product / square, sums = new Float64Array(this.userCount);
        for (let i = 0; i < n; i++) sums[this.user[i]] += weights[i] * x[i] * (y[i] - value * x[i]);
        let squares = 0, fourths = 0;
        for (const one of sums) {
            squares += one * one;
            fourths += one * one * one * one;
        }
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
                difference: one.value, ci95: one.ci95, p: one.p, adjusted: one.isRelease ? ["user", "day"] : ["day"],
                detectable: SEEN * one.error, visits: one.visits, refused: this.refusal ?? (one.isLarge ? null : "few_visits"),
            })};
        }
        // Two that are all there is differ by the same: it is said of the one that converts less.
        const [first, second] = this.values, one = all[first]?.one;
        if (this.values.length === 2 && new Set(this.group).size === 2 && one) this.asked = [one.value <= 0 ? first : second];
        return all;
    }
}
// For each question, of a breakdown each, a claim for each of its groups. Of all groups of all questions one claim in twenty is false.
const groupClaims = (questions) => {
    const all = questions.map((question) => question.claims());
    const asked = questions.flatMap((question, i) => question.asked.map((group) => all[i][group])).filter(({claim}) => !claim.refused);
    qValues(asked.map(({claim}) => claim.p)).forEach((q, i) => {
        asked[i].claim.q = q;
        conclude(asked[i].claim, q, asked[i].one.crude, ["less", "more"]);
    });
    const claims = all.map((list) => list.map(({claim}) => claim));
    // A claim stands if it holds without the surer ones, too: one bad group must not make the healthy ones look remarkable.
    questions.forEach((question, i) => {
        const found = [];
        for (const group of ranked(claims[i])) {
            const claim = claims[i][group], left = question.asked.filter((one) => !found.includes(one));
            const again = found.length ? left.map((one) => question.difference(one, found)) : [];
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
const ranked = (claims) => [...claims.keys()].filter((i) => holds(claims[i])).sort((a, b) => claims[a].q - claims[b].q
    || claims[a].p - claims[b].p || Math.abs(claims[b].difference) * claims[b].visits - Math.abs(claims[a].difference) * claims[a].visits);
// What is said of each group: of a share's difference from all others, and what a claim makes of it.
const claimsOf = (data, tally, groups) => {
    if (groups.filter(([name]) => name !== NONE).length < 2) return groups.map(() => null);
    if (!tally.visits) return groups.map(([name]) => name === NONE || name === OTHER ? null : makeClaim({refused: "unit", unit: "users"}));
    const [claims] = groupClaims([new Question(data, tally, groups)]);
    return groups.map((_, i) => claims[i] ?? null);
};
// The visits of a funnel by the values of a path; null where nothing can be claimed of them.
const questionOf = (data, asked, path) => {
    try {
        return answer(data, new Map([...asked, ["breakdown", path]]), (_, d) => {
            if (d.count !== "visits") return null;
            const tally = new StartTally(d, true);
            const groups = tally.groups(tally.fill(data).breakdown), isOne = groups.filter(([name]) => name !== NONE).length < 2;
            return isOne ? null : Object.assign(new Question(data, tally, groups), {path});
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
