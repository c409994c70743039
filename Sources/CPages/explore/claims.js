const LEAST_VISITS = 30, LEAST_USERS = 20, LEAST_EXPECTED = 5, LEAST_DIFFERENCE = 0.005, SIGNIFICANCE = 0.05, RELEASE = 0.1;
const makeClaim = (fields) => ({
    kind: "none", difference: null, ci95: null, p_value: null, q_value: null, unit: "visits", adjusted_for: [], refused: null,
    detectable: null, visits: 0, ...fields,
});
const holds = (claim) => /fell|rose|less|more/.test(claim?.kind);
const UNKNOWN = {difference: null, ci95: null, p_value: null, q_value: null, detectable: null};
const MARK = "`looptrail trend --mark DAY=NAME` compares before and after";
const FEW = `allows no conclusion: too few users came both with it and without it; ${MARK}.`;
const conclude = (claim, probability, crude, words = ["less", "more"], lack = "few_visits") => {
    const {refused, difference, ci95, detectable, adjusted_for: adjusted} = claim, size = Math.abs(difference);
    if (refused) return;
    if (probability <= SIGNIFICANCE && size >= LEAST_DIFFERENCE && ci95[0] * ci95[1] > 0) {
        // What converting changes, as being a customer, differs only within users.
        const least = adjusted.includes("user") ? size / 3 : 0;
        if (crude * difference <= 0 || Math.abs(crude) < least) claim.refused = "opposed";
        else claim.kind = words[difference < 0 ? 0 : 1];
    } else if (detectable > 1) Object.assign(claim, {refused: lack}, UNKNOWN);
};
// Whether a group's difference is sure, but claimed of another.
const isSaidElsewhere = (claim) => {
    const sure = {...claim};
    conclude(sure, claim.q_value ?? claim.p_value, claim.difference);
    return claim.kind === "none" && holds(sure);
};
const tenths = (share) => {
    const all = Math.round(Math.abs(share) * 1000);
    return `${share < 0 ? "−" : ""}${all === 0 && share !== 0 ? "<0.1" : (all / 10).toFixed(1)}`;
};
// How far the widest interval reaches, and so many errors beyond.
const reachOf = (estimates, looks, beyond = 0) =>
    Math.max(...estimates.map(({error, degrees}) => (studentReach(degrees, 0.05 / looks) + beyond) * error));
// The largest of the sizes that the estimates would find 8 times in 10; null if no error shows.
const seen = (estimates, looks) => reachOf(estimates, looks, 0.84) || null;
// A claim of a difference by its estimates; that of users is the first.
const measured = (difference, estimates, isLarge, refusal, fields = {}, looks = 1) => {
    // More than 1 is what rounding left.
    const [{error, isKnown: own}] = estimates, isKnown = own && Math.abs(difference) < 1 + 1e-9;
    const refused = refusal ?? (isLarge && isKnown && !fields.few ? null : "few_visits"), reach = reachOf(estimates, looks);
    const claim = makeClaim({refused, isLarge, ...fields});
    // Few visits may leave no error.
    if (!isKnown || fields.few || refused && !error) return claim;
    const p_value = Math.min(1, Math.max(...estimates.map((one) => looks * studentP(difference / one.error, one.degrees))));
    return {...claim, difference, p_value, ci95: [Math.max(difference - reach, -1), Math.min(difference + reach, 1)]};
};
// The error of a difference from each user's sums.
const clustered = (sums, square) => {
    let squares = 0, fourths = 0;
    for (const one of sums) {
        squares += one * one;
        fourths += one * one * one * one;
    }
    // So little is rounding.
    if (squares < 1e-20) squares = fourths = 0;
    const degrees = fourths > 0 ? Math.max(squares * squares / fourths - 1, 1e-9) : 1;
    return {error: Math.sqrt(squares) / square, degrees, isKnown: degrees > 1 - 1e-9};
};
// What is said of a claim; a trend has a day and a share.
const claimWords = (claim, trend) => {
    const {difference, ci95, unit, refused, isLarge, few, detectable, kind, adjusted_for: adjusted} = claim;
    if (few) return FEW;
    if (refused) {
        return `Nothing is concluded: ${{
            coverage: "that day has no visit, is not wholly covered, or has open windows",
            few_days: "too few days to tell a change from how days differ",
            no_overlap: "it shares no day with the others, or its share of visits changes and no user has visits with two values; "
                + MARK,
            opposed: `with ${adjusted.map((one) => `${one}s`).join(" and ")} held equal the difference has the other sign`
                + (adjusted.includes("user") ? ", or is more than three times as large" : ""),
            few_visits: isLarge ? "too few users decide what is compared; "
                + "`--not-users FILE` leaves out one with many visits, if there is one"
                : trend ? "it takes 30 visits of 20 users on either side"
                : "it takes 30 mature visits of 20 users on either side, 5 of them expected to convert and 5 not",
            unit: unit === "visits" ? "it takes visits that have their group when they begin"
                : "only visits are compared; where they can be counted, --count visits does",
        }[refused]}.`;
    }
    if (!trend && isSaidElsewhere(claim)) return "Nothing is concluded beside what is found of another group.";
    if (!holds(claim)) {
        const size = tenths(Math.max(detectable, LEAST_DIFFERENCE)), isSure = kind === "steady" && ci95[0] * ci95[1] > 0;
        return (kind === "steady" ? "Steady: no lasting change" : "No difference") + (isSure ? " of half a point or more" : "")
            + ` that these ${unit} could show${detectable ? `; one of ${size} points would be seen 8 times in 10` : ""}.`;
    }
    const [low, high] = difference < 0 ? [-ci95[1], -ci95[0]] : ci95, points = `${tenths(Math.abs(difference))} points`;
    const words = trend ? `Conversion ${kind} on ${trend.at} by ${points}${trend.relative ? ` (${tenths(Math.abs(trend.relative))}%)` : ""}`
        : `converts ${points} ${kind} than the rest`;
    const held = adjusted.toReversed().map((one) => `, same ${one}s`).join("");
    return `${words}${held}, 95% ${tenths(low)} to ${tenths(high)} (${unit}).`;
};
const claimJSON = (claim, trend, name) => {
    const {visits, isLarge, few, ...known} = claim, isHeld = holds(claim), words = claimWords(claim, trend);
    return {holds: isHeld, ...known, sentence: name !== undefined && (isHeld || words === FEW) ? `${name} ${words}` : words};
};

const groupCount = (names) => names.filter((name) => name !== NONE).length;
// More than all numbers of users; sessions without one are numbered after them.
const usersOf = ({head, starts}, {by}) => head.users + 1 + (by === "session" && starts[1] && head.sessions);
// The visits of a breakdown, those of a user together, to be divided in many ways.
class Question {
    constructor(data, tally, names) {
        const calendar = new Calendar(data, "day"), {rows, rows: {count, user, converted, first, isKnown, isOpen}, groupOf, d} = tally;
        const day = ints(count), group = picked(groupOf, rows.group, count), ranks = [], userCount = usersOf(data, d);
        let known = 0, all = 0;
        for (let row = 0; row < count; row++) {
            // An open visit may still convert: it is in no group.
            if (isOpen[row]) {
                group[row] = names.length;
                continue;
            }
            all++;
            ranks[day[row] = calendar.number(first[row])] = 0;
            known += isKnown[row];
        }
        const dates = Object.keys(ranks).sort((a, b) => a - b);
        dates.forEach((date, rank) => { ranks[date] = rank; });
        for (let row = 0; row < count; row++) day[row] = ranks[day[row]];
        Object.assign(this, {names, user, day, group, converted, userCount, dayCount: dates.length});
        // A key's visits come together; sessions of one user are several keys.
        this.take(names.map((name) => name !== NONE), d.by === "session" && inOrder(user.subarray(0, count), userCount).list);
        this.isRelease = this.releases;
        this.asked = this.values = [...names.keys()].filter((i) => isValue(names[i]));
        this.refusal = d.breakdown.attribution === "first" && known * 20 >= all * 19 ? null : "unit";
    }
    // Keeps the visits of some groups, in the order of a list if there is one.
    take(stays, order) {
        const all = this.group, list = uints(all.length);
        let count = 0;
        for (let i = 0; i < all.length; i++) {
            const row = order ? order[i] : i;
            if (stays[all[row]]) list[count++] = row;
        }
        for (const name of ["user", "day", "group", "converted"]) this[name] = picked(this[name], list, count);
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
        const stays = this.names.map((_, one) => !left.includes(one)), asked = this.asked.filter((one) => stays[one]);
        return Object.assign(Object.create(Question.prototype), this, {asked, sure: null}).take(stays);
    }
    // Whether a group differs here as its claim says.
    shows(group, {difference}) {
        const {asked} = this, {refused, difference: own, p_value: p} = this.difference(group).claim;
        if (refused || !(own * difference > 0 && p <= SIGNIFICANCE)) return false;
        // q lies between p and p times their number.
        if (p * asked.length <= SIGNIFICANCE) return true;
        this.sure ??= qValues(asked.map((one) => this.difference(one).claim).map((one) => one.refused ? null : one.p_value));
        return this.sure[asked.indexOf(group)] <= SIGNIFICANCE;
    }
    // How the means of two days hang together by their users.
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
    // What is taken off each day: the mean of its sums; with values, the means of users and days in turn until nothing changes.
    dayEffects(sums, values, value) {
        const {day, runs, daySizes, dayCount: n} = this, left = floats(n), more = floats(n);
        const taken = sums.map((sum, one) => sum / (daySizes[one] || 1));
        for (let u = 1; values && u < runs.length; u++) {
            const from = runs[u - 1], to = runs[u];
            let total = 0;
            for (let i = from; i < to; i++) total += values[i] === value;
            for (let i = from; i < to; i++) left[day[i]] += (values[i] === value) - total / (to - from);
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
    // A claim of how much more a group converts than all others; crude is the plain difference.
    difference(group) {
        const {day, group: groups, converted, runs, userCount, dayCount, tally} = this, isRelease = this.isRelease[group];
        const own = {visits: 0, converted: 0, users: 0}, rest = {...own}, owned = floats(dayCount), won = owned.slice();
        tally.forEach((count, at) => {
            const isOwn = Math.floor(at / 2 / dayCount) === group, side = isOwn ? own : rest, one = (at >> 1) % dayCount;
            const wins = at % 2 * count;
            side.visits += count;
            side.converted += wins;
            won[one] += wins;
            if (isOwn) owned[one] += count;
        });
        const ofX = this.dayEffects(owned, isRelease && groups, group);
        // This is the same for all groups.
        const ofY = entry(this.taken, isRelease, () => this.dayEffects(won, isRelease && converted, 1));
        const [xx, xy] = this.sums ??= [userCount, userCount].map(floats);
        let square = 0, product = 0, both = 0;
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
            both += visits > 0 && visits < to - from;
            square += xx[u] = squares;
            product += xy[u] = products;
        }
        // What is left of an indicator that the strata explain is rounding.
        if (!(square > 1e-6 && (both || !isRelease))) {
            return {claim: makeClaim({refused: this.refusal ?? (own.visits && rest.visits ? "no_overlap" : "few_visits")})};
        }
        // Where all convert, or none, rounding is left.
        const value = Math.abs(product / square) < 1e-12 ? 0 : product / square;
        for (let u = 0; u < userCount; u++) xy[u] -= value * xx[u];
        const estimate = clustered(xy, square);
        const share = (own.converted + rest.converted) / (own.visits + rest.visits), rare = Math.min(share, 1 - share);
        const isLarge = [own, rest].every(({visits, users}) =>
            visits >= LEAST_VISITS && users >= LEAST_USERS && visits * rare >= LEAST_EXPECTED);
        const few = !this.refusal && isRelease && isLarge && both < LEAST_USERS;
        const fields = {adjusted_for: isRelease ? ["user", "day"] : ["day"], visits: own.visits, few};
        return {...estimate, crude: own.converted / own.visits - rest.converted / rest.visits,
            claim: measured(value, [estimate], isLarge, this.refusal, fields)};
    }
    claims() {
        const all = [];
        for (const group of this.values) all[group] = this.difference(group);
        this.sums = null;
        // Of two groups, the one that converts less is asked.
        const [first, second] = this.values, value = all[first]?.claim.difference ?? null;
        if (this.values.length === 2 && groupCount(this.names) === 2 && value !== null) this.asked = [value <= 0 ? first : second];
        return all;
    }
}
// For each question a claim for each group: of all, one in twenty is false.
const groupClaims = (questions) => {
    const all = questions.map((question) => question.claims());
    const asked = questions.flatMap(({asked}, i) => asked.map((group) => all[i][group])).filter(({claim}) => !claim.refused);
    for (const one of all.flat()) if (one.claim.ci95) one.claim.detectable = seen([one], asked.length || 1);
    qValues(asked.map(({claim}) => claim.p_value)).forEach((q, i) => {
        asked[i].claim.q_value = q;
        conclude(asked[i].claim, q, asked[i].crude);
    });
    const claims = all.map((list) => list.map(({claim}) => claim));
    questions.forEach((question, i) => {
        const own = claims[i], {values, asked: [twin, more]} = question, {refused, q_value, difference} = own[twin] ?? {};
        // Two groups alone are equally sure.
        if (more === undefined) for (const group of values) Object.assign(own[group], {refused, q_value}, difference ?? UNKNOWN);
        // A claim must hold without the others.
        const list = ranked(own);
        let found = [], others;
        for (const group of list) {
            if (found.length && (found.length > 19 || !(others ??= question.without(found)).shows(group, own[group]))) continue;
            found.push(group);
            others = null;
        }
        // The last one was asked beside the others.
        const most = found.length - 1;
        for (const group of found) {
            const rest = found.filter((one) => one !== group);
            if (rest.length && found.indexOf(group) < most && !question.without(rest).shows(group, own[group])) found = rest;
        }
        for (const group of list) if (!found.includes(group)) own[group].kind = "none";
    });
    return claims;
};
const ranked = (claims) => [...claims.keys()].filter((i) => holds(claims[i])).sort((i, k) => {
    const a = claims[i], b = claims[k], weight = ({difference, visits}) => Math.abs(difference) * visits;
    return a.q_value - b.q_value || a.p_value - b.p_value || weight(b) - weight(a);
});
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
// The surest sentences about the values of all paths.
const findings = (questions) => {
    const claims = groupClaims(questions), all = questions.flatMap(({values, path, names}, i) => values.map((group) =>
        ({claim: claims[i][group], path, name: names[group]})));
    return ranked(all.map(({claim}) => claim)).map((i) => ({path: all[i].path, ...claimJSON(all[i].claim, null, all[i].name)}));
};
