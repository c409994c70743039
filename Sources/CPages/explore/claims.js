const LEAST_VISITS = 30, LEAST_USERS = 20, LEAST_DIFFERENCE = 0.005, SIGNIFICANCE = 0.05, RELEASE = 0.1;
const makeClaim = (fields) => ({
    kind: "none", difference: null, ci95: null, p_value: null, q_value: null, unit: "visits", adjusted_for: [], refused: null,
    detectable: null, visits: 0, ...fields,
});
const holds = (claim) => ["fell", "rose", "less", "more"].includes(claim?.kind);
// Lets a claim hold if all guards do, and gives it its word.
const conclude = (claim, probability, crude, [less, more] = ["less", "more"]) => {
    if (claim.refused || claim.difference === null || !(probability <= SIGNIFICANCE) || Math.abs(claim.difference) < LEAST_DIFFERENCE
        || claim.ci95[0] <= 0 && claim.ci95[1] >= 0) return;
    // A value that a user's outcome changes, such as being a customer, makes a difference within users where the crude one is none.
    const least = claim.adjusted_for.includes("user") ? Math.abs(claim.difference) / 3 : 0;
    if (crude * claim.difference <= 0 || Math.abs(crude) < least) claim.refused = "opposed";
    else claim.kind = claim.difference < 0 ? less : more;
};
// Whether a group's difference is sure, but claimed of another.
const isSaidElsewhere = (claim) => {
    const sure = {...claim};
    conclude(sure, claim.q_value ?? claim.p_value, claim.difference);
    return claim.kind === "none" && holds(sure);
};
const tenths = (share) => {
    const all = Math.round(Math.abs(share) * 1000);
    return `${share < 0 ? "−" : ""}${all === 0 && share !== 0 ? "<0.1" : `${Math.floor(all / 10)}.${all % 10}`}`;
};
// The largest of the sizes that the estimates would find 8 times in 10; null if no error shows.
const seen = (estimates, looks) =>
    Math.max(...estimates.map(({error, degrees}) => (studentReach(degrees, 0.05 / looks) + 0.84) * error)) || null;
// The error of a difference from the sums of each user. Where few users make most of it, it is itself measured badly.
const clustered = (sums, square) => {
    let squares = 0, fourths = 0;
    for (const one of sums) {
        squares += one * one;
        fourths += one * one * one * one;
    }
    // So little is rounding: with few degrees of freedom it would make an interval.
    if (squares < 1e-20) squares = fourths = 0;
    return {error: Math.sqrt(squares) / square, degrees: fourths > 0 ? Math.max(squares * squares / fourths - 1, 1e-9) : 1};
};
// What is said of a claim; a trend has a day, and what its difference is a part of.
const claimWords = (claim, trend) => {
    const {difference, ci95, unit, refused, detectable, kind, adjusted_for: adjusted} = claim;
    if (refused) {
        return `Nothing is concluded: ${{
            coverage: "that day has no visit, is not wholly covered, or has open windows",
            few_days: "too few days to tell a change from how days differ",
            no_overlap: "it shares no day with the others, or its share of visits changes and no user has visits with two values; "
                + "`looptrail trend --mark DAY=NAME` compares before and after",
            opposed: `with ${adjusted.map((one) => `${one}s`).join(" and ")} held equal the difference has the other sign`
                + (adjusted.includes("user") ? ", or is more than three times as large" : ""),
            few_visits: `it takes 30 ${unit} of 20 users on either side`,
            unit: unit === "visits" ? "it takes visits that have their group when they begin"
                : "only visits are compared; where they can be counted, --count visits does",
        }[refused]}.`;
    }
    if (!trend && isSaidElsewhere(claim)) return "Nothing is concluded beside what is found of another group.";
    if (!holds(claim)) {
        const size = detectable ?? 2, seen = size > 1 ? "" : `; one of ${tenths(size)} points would be seen 8 times in 10`;
        return `${kind === "steady" ? "Steady: no lasting change" : "No difference"} that these ${unit} could show${seen}.`;
    }
    const [low, high] = difference < 0 ? [-ci95[1], -ci95[0]] : ci95, points = `${tenths(Math.abs(difference))} points`;
    const words = trend ? `Conversion ${kind} on ${trend.at} by ${points} (${tenths(Math.abs(trend.relative))}%)`
        : `converts ${points} ${kind} than the rest`;
    const held = adjusted.toReversed().map((one) => `, same ${one}s`).join("");
    return `${words}${held}, 95% ${tenths(low)} to ${tenths(high)} (${unit}).`;
};
const claimJSON = ({visits, ...claim}, trend, name) => {
    const isHeld = holds(claim), start = isHeld && name !== undefined ? `${name} ` : "";
    return {holds: isHeld, ...claim, sentence: start + claimWords(claim, trend)};
};

const groupCount = (names) => names.filter((name) => name !== NONE).length;
// More than all numbers of users; sessions without a user are numbered after them.
const usersOf = ({head}) => head.users + head.sessions + 1;
// The visits of a breakdown, those of a user together, to be divided in many ways.
class Question {
    constructor(data, tally, names) {
        const calendar = new Calendar(data, "day"), none = names.indexOf(NONE), {rows, rows: {count}, groupOf, d} = tally;
        // For each visit that has a value: its user, day and group, and whether it converted.
        const [user, day, group] = [count, count, count].map(uints), converted = new Uint8Array(count);
        const ranks = ints(calendar.starts.length).fill(-1), numbers = uints(usersOf(data));
        let known = 0, held = 0;
        this.userCount = this.dayCount = 0;
        for (let row = 0; row < count; row++) {
            const date = calendar.number(rows.first[row]), own = groupOf[rows.group[row]];
            ranks[date] = 0;
            known += rows.isKnown[row];
            if (own === none) continue;
            user[held] = (numbers[rows.user[row]] ||= ++this.userCount) - 1;
            day[held] = date;
            group[held] = own;
            converted[held++] = rows.taken[row] >> d.layout.last & 1;
        }
        for (let one = 0; one < ranks.length; one++) if (ranks[one] === 0) ranks[one] = this.dayCount++;
        for (let i = 0; i < held; i++) day[i] = ranks[day[i]];
        // A key's visits come together; sessions of one user are several keys.
        const byUser = (a, b) => user[a] - user[b] || a - b;
        const list = d.by === "session" && uints(held).map((_, i) => i).sort(byUser);
        Object.assign(this, {names, user, day, group, converted}).take(list, held);
        this.isRelease = this.releases;
        this.asked = this.values = [...names.keys()].filter((i) => isValue(names[i]));
        this.refusal = d.breakdown.attribution === "first" && known * 20 >= count * 19 ? null : "unit";
    }
    // Keeps the first visits, or those of a list, and notes where those of each user begin.
    take(list, count) {
        for (const name of ["user", "day", "group", "converted"]) {
            const from = this[name], own = this[name] = list ? new from.constructor(count) : from.subarray(0, count);
            for (let i = 0; list && i < count; i++) own[i] = from[list[i]];
        }
        const {user, day, group, converted} = this;
        const runs = uints(this.userCount + 1), daySizes = floats(this.dayCount);
        // For each group and day: how many did not convert, and how many did.
        const tally = floats(2 * this.names.length * this.dayCount);
        for (let i = 0; i < count; i++) {
            daySizes[day[i]]++;
            tally[2 * (group[i] * this.dayCount + day[i]) + converted[i]]++;
            runs[user[i] + 1] = i + 1;
        }
        for (let u = 1; u < runs.length; u++) runs[u] ||= runs[u - 1];
        return Object.assign(this, {runs, daySizes, tally, taken: new Map(), coupling: null});
    }
    // For each group: whether it came or went between the first and the last third of the days.
    get releases() {
        const {dayCount, names, tally, daySizes} = this, third = Math.max(Math.floor(dayCount / 3), 1), days = [...daySizes.keys()];
        const own = (group) => (day) => sum([0, 1], (won) => tally[2 * (group * dayCount + day) + won]);
        const share = (group, some) => sum(some, own(group)) / sum(some, (day) => daySizes[day]);
        const before = days.slice(0, third), after = days.slice(Math.max(dayCount - third, third));
        return names.map((_, group) => Math.abs(share(group, after) - share(group, before)) >= RELEASE - 1e-12);
    }
    without(left) {
        const isLeft = this.names.map((_, i) => left.includes(i)), list = uints(this.group.length);
        let count = 0;
        for (let i = 0; i < list.length; i++) if (!isLeft[this.group[i]]) list[count++] = i;
        return Object.create(this).take(list, count);
    }
    // How the means of two days hang together by the users who have visits on both.
    get coupled() {
        if (this.coupling) return this.coupling;
        const {day, runs, daySizes, dayCount: n} = this, coupling = this.coupling = floats(n * n);
        for (let one = 0; one < n; one++) coupling[one * n + one] = daySizes[one];
        const visits = uints(n), met = uints(n);
        for (let u = 1; u < runs.length; u++) {
            const from = runs[u - 1], to = runs[u];
            let count = 0;
            for (let i = from; i < to; i++) if (!visits[day[i]]++) met[count++] = day[i];
            for (let i = 0; i < count; i++) {
                const share = visits[met[i]] / (to - from);
                for (let k = 0; k < count; k++) coupling[met[i] * n + met[k]] -= share * visits[met[k]];
            }
            for (let i = 0; i < count; i++) visits[met[i]] = 0;
        }
        return coupling;
    }
    // What is taken off each day: the mean of its sums; with values, where users are held equal, the means of users and days in turn until
    // nothing changes. What is left of a day's mean follows from what was taken off all days.
    dayEffects(sums, values) {
        const {day, runs, daySizes, dayCount: n} = this, left = floats(n), more = floats(n);
        const taken = sums.map((sum, one) => sum / (daySizes[one] || 1));
        for (let u = 1; values && u < runs.length; u++) {
            const from = runs[u - 1], to = runs[u];
            let total = 0;
            for (let i = from; i < to; i++) total += values[i];
            for (let i = from; i < to; i++) left[day[i]] += values[i] - total / (to - from);
        }
        const coupled = values ? this.coupled : null;
        for (let round = 1, change = 1; values && round < 200 && change >= 1e-9; round++) {
            change = 0;
            for (let one = 0; one < n; one++) {
                let rest = left[one];
                for (let other = 0; other < n; other++) rest -= coupled[one * n + other] * taken[other];
                more[one] = rest / (daySizes[one] || 1);
                change = Math.max(change, Math.abs(more[one]));
            }
            for (let one = 0; one < n; one++) taken[one] += more[one];
        }
        return taken;
    }
    // A claim of how much more a group converts than all others, with days, or users and days, held equal; crude is the plain difference.
    difference(group) {
        const {day, group: groups, converted, runs, userCount, dayCount, tally} = this, isRelease = this.isRelease[group];
        const own = {visits: 0, converted: 0, users: 0}, rest = {...own}, owned = floats(dayCount), won = owned.slice();
        tally.forEach((count, at) => {
            const isOwn = Math.floor(at / 2 / dayCount) === group, side = isOwn ? own : rest, one = (at >> 1) % dayCount;
            side.visits += count;
            if (isOwn) owned[one] += count;
            if (at % 2 === 0) return;
            side.converted += count;
            won[one] += count;
        });
        const ofX = this.dayEffects(owned, isRelease && groups.map((one) => one === group));
        // Who converted is the same for all groups.
        const ofY = entry(this.taken, isRelease, () => this.dayEffects(won, isRelease && converted));
        // For each user: the sums of squares and of products.
        const xx = floats(userCount), xy = floats(userCount);
        let square = 0, product = 0;
        for (let u = 0; u < userCount; u++) {
            const from = runs[u], to = runs[u + 1];
            let visits = 0, sumX = 0, sumY = 0, squares = 0, products = 0;
            for (let i = from; i < to; i++) {
                const isOwn = groups[i] === group, x = isOwn - ofX[day[i]], y = converted[i] - ofY[day[i]];
                visits += isOwn;
                sumX += x;
                sumY += y;
                squares += x * x;
                products += x * y;
            }
            if (isRelease && to > from) {
                squares -= sumX * sumX / (to - from);
                products -= sumX * sumY / (to - from);
            }
            if (visits > 0) own.users++;
            if (visits < to - from) rest.users++;
            square += xx[u] = squares;
            product += xy[u] = products;
        }
        // What is left of an indicator that the strata explain is rounding.
        if (!(square > 1e-6)) return {claim: makeClaim({refused: this.refusal ?? "no_overlap"})};
        // Where all convert, or none, rounding is what is left.
        const value = Math.abs(product / square) < 1e-12 ? 0 : product / square;
        const {error, degrees} = clustered(xy.map((one, u) => one - value * xx[u]), square);
        const reach = studentReach(degrees) * error;
        const isLarge = [own, rest].every(({visits, users}) => visits >= LEAST_VISITS && users >= LEAST_USERS);
        const refused = this.refusal ?? (isLarge ? null : "few_visits");
        return {error, degrees, crude: own.converted / own.visits - rest.converted / rest.visits, claim: makeClaim({
            difference: value, adjusted_for: isRelease ? ["user", "day"] : ["day"], visits: own.visits, refused,
            // Too few visits may leave no error to be seen.
            ...(!refused || error) && {ci95: [value - reach, value + reach], p_value: studentP(value / error, degrees)},
        })};
    }
    claims() {
        const all = [];
        for (const group of this.values) all[group] = this.difference(group);
        // Two groups alone differ by the same: only the one that converts less is asked.
        const [first, second] = this.values, value = all[first]?.claim.difference ?? null;
        if (this.values.length === 2 && groupCount(this.names) === 2 && value !== null) this.asked = [value <= 0 ? first : second];
        return all;
    }
}
// For each question, of a breakdown each, a claim for each of its groups. Of all groups of all questions one claim in twenty is false.
const groupClaims = (questions) => {
    const all = questions.map((question) => question.claims());
    const asked = questions.flatMap(({asked}, i) => asked.map((group) => all[i][group])).filter(({claim}) => !claim.refused);
    for (const one of all.flat()) if (one.claim.ci95) one.claim.detectable = seen([one], asked.length || 1);
    qValues(asked.map(({claim}) => claim.p_value)).forEach((q, i) => {
        asked[i].claim.q_value = q;
        conclude(asked[i].claim, q, asked[i].crude);
    });
    const claims = all.map((list) => list.map(({claim}) => claim));
    // Two groups alone are refused together and equally sure.
    questions.forEach(({values, asked: [twin, more]}, i) => values.forEach((group) => {
        const {refused, q_value} = claims[i][twin];
        if (values.length > 1 && more === undefined) Object.assign(claims[i][group], {refused, q_value});
    }));
    // A claim stands if it holds without the surer ones, too: one bad group must not make the healthy ones look remarkable.
    questions.forEach((question, i) => {
        const found = [];
        for (const group of ranked(claims[i])) {
            const claim = claims[i][group], left = question.asked.filter((one) => !found.includes(one));
            const others = found.length && question.without(found), again = others && others.difference(group).claim;
            // q lies between p and p times their number: mostly that decides.
            const ps = () => left.map((one) => others.difference(one).claim).map(({refused, p_value: p}) => refused ? null : p);
            const isSure = (p) => p * left.length <= SIGNIFICANCE
                || p <= SIGNIFICANCE && qValues(ps())[left.indexOf(group)] <= SIGNIFICANCE;
            const stands = !others || !again.refused && again.difference * claim.difference > 0 && isSure(again.p_value);
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
// A claim for each group, where there is one.
const claimsOf = (data, tally, names) => {
    if (groupCount(names) < 2) return [];
    if (tally.d.count !== "visits") return names.map((name) => isValue(name) ? makeClaim({refused: "unit", unit: "users"}) : null);
    return groupClaims([new Question(data, tally, names)])[0];
};
// The visits of a funnel by the values of a path; null where nothing can be claimed of them.
const questionOf = (data, asked, path) => {
    try {
        const d = new Values(data, new Map([...asked, ["breakdown", path]])).definition;
        if (d.count !== "visits") return null;
        const tally = new StartTally(d, []), names = tally.groupNames(tally.fill(data).breakdown);
        return groupCount(names) < 2 ? null : Object.assign(new Question(data, tally, names), {path});
    } catch (error) {
        if (error instanceof Refused) return null;
        throw error;
    }
};
// The surest sentences about the values of all paths that were looked at.
const findings = (questions) => {
    const claims = groupClaims(questions), all = questions.flatMap(({values, path, names}, i) => values.map((group) =>
        ({claim: claims[i][group], path, name: names[group]})));
    return ranked(all.map(({claim}) => claim)).map((i) => ({path: all[i].path, ...claimJSON(all[i].claim, null, all[i].name)}));
};
