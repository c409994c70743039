// Which steps follow which where some are optional.
class StepLayout {
    constructor(optional) {
        const last = optional.length - 1, required = optional.lastIndexOf(false);
        Object.assign(this, {hasOptional: optional.includes(true), last: required});
        // For each step the required one before it.
        this.previous = optional.map((_, i) => i ? optional.lastIndexOf(false, i - 1) : 0);
        // Optional steps with the required one behind them.
        const ends = [...optional.keys()].filter((i) => i === last || !optional[i]);
        this.groups = ends.map((end, i) => this.between(i ? ends[i - 1] : -1, end));
        // For each step those that an attempt may take from it.
        this.after = optional.map((_, i) => i < last ? this.between(i, i < required ? optional.indexOf(false, i + 1) : last) : 0);
    }
    // The steps behind one up to another.
    between(from, to) { return -1 >>> 31 - to & -1 << from + 1; }
    // Keeps of each group's steps only the last that an event fits.
    narrowed(bits) {
        if (!this.hasOptional) return bits;
        for (const group of this.groups) if (size(bits & group) > 1) bits = bits & ~group | bit(highest(bits & group));
        return bits;
    }
}

// What engines need of a definition.
class ChainRules {
    constructor(d) {
        Object.assign(this, {layout: d.layout, count: d.steps.length, isStrict: d.order === "strict", window: d.window});
        const names = d.steps.flatMap((step) => step.names ?? [null, null]);
        this.mayOverlap = new Set(names).size < names.length;
        this.stepWindow = d.stepWindow < d.window ? d.stepWindow : Infinity;
        // `until`: starts from it on begin no attempt. `lastStart`: the last, if known.
        this.until = this.lastStart = Infinity;
        // For each exclusion the steps on which it spoils attempts, and those on which it ends them.
        const standing = ({range}) => range ? bit(range[1] - 1) - bit(range[0] - 1) : bit(this.count - 1) - 1;
        this.spoiling = d.exclusions.map((one) => one.spoils ? standing(one) : 0);
        this.ending = d.exclusions.map((one) => one.spoils ? 0 : standing(one));
        this.spoils = d.exclusions.some((one) => one.spoils);
    }
    allows({start, last}, time) { return time - start <= this.window && time - last <= this.stepWindow; }
    isOpen({start, last}, end) { return end - start < this.window && end - last < this.stepWindow; }
    standing(exclusions, of) {
        let bits = 0;
        for (let left = exclusions; left; left &= left - 1) bits |= of[lowest(left)];
        return bits;
    }
}

// The attempt that counts: when it took each step, and how long that took from the first and from the one before.
class FunnelChain {
    constructor(d) {
        Object.assign(this, {previous: d.layout.previous, depth: 0, taken: 0, isOpen: false});
        for (const name of ["times", "fromFirst", "fromPrevious"]) this[name] = floats(d.steps.length);
    }
    set(depth, taken, times, isOpen) {
        this.depth = depth;
        this.taken = taken;
        this.isOpen = isOpen;
        for (let s = 0; s < depth; s++) {
            this.times[s] = times[s];
            this.fromFirst[s] = times[s] - times[0];
            this.fromPrevious[s] = times[s] - times[this.previous[s]];
        }
        return this;
    }
}

// A bag of events by the steps they fit, and how many steps can be shared out among them: a matching, grown step by step.
class StepSets {
    // For each kind of events: the steps they fit, their number, the steps they are for, the search that met them last.
    constructor() { Object.assign(this, {kinds: [], counts: [], owned: [], seen: [], round: 0}).clear(); }
    clear() { this.length = this.union = this.overlapping = 0; }
    change(own, by) {
        const {kinds, counts} = this;
        let k = 0;
        while (k < this.length && kinds[k] !== own) k++;
        if (k === this.length) {
            kinds[k] = own;
            counts[this.length++] = 0;
        }
        counts[k] += by;
        if (own & own - 1) this.overlapping += by;
        if (by > 0) this.union |= own;
        if (counts[k]) return;
        kinds[k] = kinds[--this.length];
        counts[k] = counts[this.length];
        this.union = 0;
        for (let i = 0; i < this.length; i++) this.union |= kinds[i];
    }
    size() {
        if (!this.overlapping) return size(this.union);
        let filled = 0;
        for (let k = 0; k < this.length; k++) this.owned[k] = 0;
        for (let left = this.union; left; left &= left - 1) {
            this.round++;
            if (this.fill(lowest(left))) filled++;
        }
        return filled;
    }
    // Finds an event for a step, moving other steps to other events where that frees one.
    fill(step) {
        const {kinds, counts, owned, seen} = this;
        for (let k = 0; k < this.length; k++) {
            if (seen[k] === this.round || !(kinds[k] >> step & 1)) continue;
            seen[k] = this.round;
            if (size(owned[k]) < counts[k]) {
                owned[k] |= bit(step);
                return true;
            }
            for (let left = owned[k]; left; left &= left - 1) {
                if (!this.fill(lowest(left))) continue;
                owned[k] = owned[k] & ~(left & -left) | bit(step);
                return true;
            }
        }
        return false;
    }
}

// An attempt: itself before its last step, the times of its first and last, and its steps.
const begun = (time) => ({before: null, depth: 1, start: time, last: time, taken: 1});
const took = (before, step, time) => ({before, depth: step + 1, start: before.start, last: time, taken: before.taken | bit(step)});
// Whether the first of two attempts with the same steps took one earlier, and all before it at the same times.
const precedes = (a, b) => {
    let isSooner = false;
    for (; a !== b; a = a.before, b = b.before) if (a.last !== b.last) isSooner = a.last < b.last;
    return isSooner;
};
// Deeper; then sooner there, later begun, with more steps.
const isBetter = (a, b) => {
    const differs = b.depth - a.depth || a.last - b.last || b.start - a.start || size(b.taken) - size(a.taken);
    return differs ? differs < 0 : a.taken === b.taken && precedes(a, b);
};

const NOBODY = [];
// One order of a key's events so far: where its attempts stand, and the best that went no further.
class OrderedWay {
    // reach: from which step on nothing stands.
    constructor(rules) {
        const spoilt = Array(rules.count).fill(null);
        Object.assign(this, {rules, rows: spoilt.map(() => NOBODY), spoilt, reach: 0}).begin();
    }
    begin() {
        this.best = null;
        this.isOpen = false;
        // How deep spoilt attempts got; and for each step the latest one on it, until it takes the one step that still counts.
        this.spoiltDepth = 0;
        for (; this.reach > 0; this.spoilt[this.reach] = null) this.rows[--this.reach] = NOBODY;
    }
    get copy() {
        const rows = this.rows.map((row) => row.length ? row.slice() : NOBODY);
        return Object.assign(new OrderedWay(this.rules), this, {rows, spoilt: this.spoilt.slice()});
    }
    // time: when it ended; if it ran out before, it may have been open at the data's end.
    note(attempt, time = -Infinity) {
        const {rules} = this;
        this.isOpen ||= !rules.allows(attempt, time) && rules.isOpen(attempt, rules.end);
        if (!this.best || isBetter(attempt, this.best)) this.best = attempt;
    }
    leave(row) {
        const leaving = this.rows[row];
        this.rows[row] = NOBODY;
        return leaving;
    }
    stand(attempt) {
        const row = attempt.depth - 1, there = this.rows[row];
        if (row + 1 === this.rules.count) return this.note(attempt);
        // Where attempts may be spoilt, only the last one can equal this one.
        for (let i = there.length - 1, least = this.rules.mayBeSpoilt ? Math.max(i, 0) : 0; i >= least; i--) {
            const isLess = this.replaces(there[i], attempt);
            if (!isLess && !this.replaces(attempt, there[i])) continue;
            const [less] = isLess ? [attempt] : there.splice(i, 1);
            // What spoils one spoils the other: only the better one counts.
            if (!this.rules.mayBeSpoilt) this.note(less);
            if (isLess) return;
        }
        if (row >= this.reach) this.reach = row + 1;
        if (there === NOBODY) this.rows[row] = [attempt];
        else there.push(attempt);
    }
    // Whether the other attempt does no better, whatever comes.
    replaces(attempt, other) {
        const later = attempt.start - other.start, lastLater = attempt.last - other.last;
        if (this.rules.mayBeSpoilt) return !later && !lastLater && !isBetter(other, attempt);
        if (this.rules.stepWindow !== Infinity && lastLater < 0) return false;
        if (later) return later > 0;
        return attempt.taken === other.taken ? !precedes(other, attempt) : size(attempt.taken) >= size(other.taken);
    }
    take(own, time) {
        const {rules, rules: {layout: {after}}, rows, spoilt} = this;
        for (let row = this.reach - 1; row >= 0; row--) {
            if (!rows[row].length && !spoilt[row]) continue;
            const target = highest(own & after[row]);
            if (target < 0 && !rules.isStrict) continue;
            if (spoilt[row] && target >= 0 && rules.allows(spoilt[row], time)) this.spoiltDepth = Math.max(this.spoiltDepth, target + 1);
            spoilt[row] = null;
            for (const attempt of this.leave(row)) {
                if (target < 0 || !rules.allows(attempt, time)) this.note(attempt, time);
                else this.stand(took(attempt, target, time));
            }
        }
        if (own & 1 && time < rules.until) this.stand(begun(time));
        while (this.reach && !rows[this.reach - 1].length && !spoilt[this.reach - 1]) this.reach--;
    }
    exclude(exclusions, time) {
        const {rules, spoilt} = this, spoiling = rules.standing(exclusions, rules.spoiling);
        const ending = rules.standing(exclusions, rules.ending);
        for (let left = spoiling | ending; left; left &= left - 1) {
            const row = lowest(left);
            for (const attempt of this.leave(row)) {
                if (!(spoiling >> row & 1) || !rules.allows(attempt, time)) {
                    this.note(attempt, time);
                    continue;
                }
                const there = spoilt[row] ?? attempt;
                if ((attempt.start - there.start || attempt.last - there.last) >= 0) spoilt[row] = attempt;
                this.spoiltDepth = Math.max(this.spoiltDepth, row + 1);
            }
            if (ending >> row & 1 && spoilt[row] && rules.allows(spoilt[row], time)) spoilt[row] = null;
        }
    }
    expire(time) {
        for (const row of this.rows.keys()) {
            for (const attempt of this.leave(row)) {
                if (this.rules.allows(attempt, time)) this.stand(attempt);
                else this.note(attempt, time);
            }
        }
    }
    // All that decides what can come of it, except the times of clean attempts.
    get future() {
        if (!this.rules.mayBeSpoilt) return "";
        const own = this.rules.stepWindow === Infinity ? ({start}) => start : ({start, last}) => [start, last];
        return JSON.stringify([this.spoiltDepth, this.rows.map((row) => row.map(own)), this.spoilt.map((one) => one && own(one))]);
    }
    // Takes what is better of a way with the same future; where nothing spoils, of any way.
    merge(other) {
        if (other.best) this.note(other.best);
        this.isOpen ||= other.isOpen;
        other.rows.forEach((row, r) => row.forEach((attempt, i) => {
            if (!this.rules.mayBeSpoilt) this.stand(attempt);
            else if (isBetter(attempt, this.rows[r][i])) this.rows[r][i] = attempt;
        }));
    }
}

// Follows all attempts of one key, in every order of events of a millisecond; gives the one that counts, or null. Orders
// after which the same can come go on as one.
class GeneralChains {
    constructor(d, rules) {
        Object.assign(this, {rules, chain: new FunnelChain(d), first: new OrderedWay(rules), times: floats(rules.count)});
    }
    follow(key, from, to, end) {
        const {rules} = this, {times, steps, exclusions: excluded} = key, narrows = rules.layout.hasOptional;
        let first = from, ways = [this.first], isDone = false;
        while (first < to && !(steps[first] & 1)) first++;
        if (first === to) return null;
        while (first > from && times[first - 1] === times[first]) first--;
        // Without an exclusion nothing is spoilt.
        rules.mayBeSpoilt = false;
        for (let i = from; rules.spoils && i < to && !rules.mayBeSpoilt; i++) rules.mayBeSpoilt = key.exclusions[i] !== 0;
        this.first.begin();
        rules.end = end;
        for (let i = first, next = first; i < to && !isDone; i = next) {
            const time = times[i];
            let exclusions = excluded[next++];
            for (; next < to && times[next] === time; next++) exclusions |= excluded[next];
            // An event alone in its millisecond changes nothing where nothing stands and it begins nothing.
            if (next === i + 1 && ways.length === 1 && ways[0].reach === 0 && !(steps[i] & 1)) continue;
            if (exclusions) for (const way of ways) way.exclude(exclusions, time);
            if (next > i + 1) ways = this.moment(ways, key, i, next, time);
            else for (const way of ways) way.take(narrows ? rules.layout.narrowed(steps[i]) : steps[i], time);
            isDone = time >= rules.lastStart && ways.length === 1 && ways[0].reach === 0;
            for (const {best} of ways) isDone ||= best?.depth === rules.count;
        }
        let result = null;
        for (const way of ways) {
            for (let row = 0; row < way.reach; row++) for (const attempt of way.rows[row]) way.note(attempt, Infinity);
            const {best, isOpen} = way;
            if (!best || best.depth < way.spoiltDepth) continue;
            if (!result || isBetter(best, result.best)) result = {best, isOpen};
            else if (!isBetter(result.best, best)) result.isOpen ||= isOpen;
        }
        if (!result) return null;
        for (let {best} = result; best; best = best.before) this.times[best.depth - 1] = best.last;
        return this.chain.set(result.best.depth, result.best.taken, this.times, result.isOpen);
    }
    moment(ways, key, from, to, time) {
        const {rules} = this, kinds = new Map();
        for (let i = from; i < to; i++) {
            const own = rules.layout.narrowed(key.steps[i]);
            // An attempt takes at most one for each step; one that is left over ends it in strict order.
            const most = rules.mayBeSpoilt ? rules.count + 1 : size(own) + (rules.isStrict ? 1 : 0);
            if (own || rules.isStrict) kinds.set(own, Math.min((kinds.get(own) ?? 0) + 1, most));
        }
        const through = (way, list) => {
            for (const [own, n] of list) for (let i = 0; i < n; i++) way.take(own, time);
            return way;
        };
        if (kinds.size < 2) return ways.map((way) => through(way, kinds));
        for (const way of ways) way.expire(time);
        const choices = [...kinds.values()].reduce((product, n) => Math.min(product * (n + 1), 1025), 1), isFew = choices <= 1024;
        // For each choice of events that came, the ways to it; its digits are how many of each kind.
        const reached = Array.from({length: isFew ? choices : 2}, () => new Map());
        const reach = (choice, way) => {
            const {future} = way, known = reached[choice].get(future);
            if (known) known.merge(way);
            else if (reached[choice].size < 128) reached[choice].set(future, way);
        };
        ways.forEach((way, i) => reached[0].set(i, way));
        if (!isFew) for (const list of this.someOrders(kinds)) for (const way of ways) reach(1, through(way.copy, list));
        for (let choice = 0; isFew && choice < choices - 1; choice++) {
            let scale = 1;
            for (const [own, n] of kinds) {
                if (Math.floor(choice / scale) % (n + 1) < n) {
                    for (const way of reached[choice].values()) reach(choice + scale, through(way.copy, [[own, 1]]));
                }
                scale *= n + 1;
            }
        }
        return [...reached.at(-1).values()];
    }
    // By rising and by falling steps; for each step two more: an event for it and for each later one first, or for each up to it last.
    someOrders(kinds) {
        const rising = [...kinds].sort((a, b) => (a[0] >>> 0) - (b[0] >>> 0)), orders = [rising, rising.toReversed()];
        for (let step = 0; step < this.rules.count; step++) {
            for (const isWaiting of [true, false]) {
                const left = rising.map((kind) => [...kind]), chosen = [];
                for (let s = isWaiting ? step : 0, to = isWaiting ? this.rules.count : step + 1; s < to; s++) {
                    const kind = left.find(([own, n]) => n && own >>> s & 1) ?? [0, 0];
                    chosen.push([kind[0], Math.min(kind[1]--, 1)]);
                }
                orders.push(isWaiting ? [...chosen, ...left] : [...left, ...chosen]);
            }
        }
        return orders;
    }
}

// Follows starts one by one: the next event of each step only moves forward. Where one of several events
// of a millisecond fits several steps, attempts are followed.
class OrderedChains {
    constructor(d, rules) {
        const {count} = rules, own = floats(count), best = {times: floats(count), depth: 0}, at = ints(count + 1).fill(1e9);
        Object.assign(this, {rules, chain: new FunnelChain(d), general: new GeneralChains(d, rules), own, best, at});
    }
    // Whether the starts from an event on can be walked.
    begins({times, steps}, from, to) {
        for (let s = 1; s < this.rules.count; s++) this.at[s] = from;
        for (let i = from; i < to && this.rules.mayOverlap; i++) {
            const isTie = i > from && times[i - 1] === times[i] || i + 1 < to && times[i + 1] === times[i];
            if (isTie && steps[i] & steps[i] - 1) return false;
        }
        return true;
    }
    // Takes a start if it is the best: the deepest, then the first to get there, then the last to begin.
    walk(best, start, {times, steps}, to) {
        const {at, own, rules: {window}} = this, next = at[best.depth];
        let depth = 1;
        // Behind its end only a deeper one is better.
        if (best.depth > 0 && start > best.times[best.depth - 1] && (next >= to || times[next] - start > window)) return;
        own[0] = start;
        for (; depth < own.length; depth++) {
            const last = own[depth - 1];
            let i = at[depth];
            // One event takes one step. Several of one millisecond take steps that follow each other.
            while (i < to && (!(steps[i] >> depth & 1) || times[i] < last || times[i] === last && steps[i] & steps[i] - 1)) i++;
            at[depth] = i;
            if (i === to || times[i] - start > window) break;
            own[depth] = times[i];
        }
        if (depth < best.depth || depth === best.depth && own[depth - 1] > best.times[depth - 1]) return;
        best.depth = depth;
        for (let s = 0; s < depth; s++) best.times[s] = own[s];
    }
    set({depth, times}, last, end) { return this.chain.set(depth, -1 >>> 32 - depth, times, this.rules.isOpen({start: last, last}, end)); }
    follow(key, from, to, end) {
        const {best, rules} = this, {times, steps} = key;
        let last = 0;
        if (!this.begins(key, from, to)) return this.general.follow(key, from, to, end);
        best.depth = 0;
        for (let i = from; i < to && !(steps[i] & 1 && best.depth === rules.count && times[i] > best.times[best.depth - 1]); i++) {
            if (steps[i] & 1 && times[i] < rules.until) this.walk(best, last = times[i], key, to);
        }
        return best.depth ? this.set(best, last, end) : null;
    }
}

// Counts how many steps lie inside one window, in any order. A deeper window keeps the times that a shallower one had.
class AnyOrderChains {
    constructor(d, rules) {
        const [held, spoilt, bag] = [1, 2, 3].map(() => new StepSets());
        Object.assign(this, {rules, count: rules.count, chain: new FunnelChain(d), held, spoilt, bag});
    }
    follow(key, from, to, end) {
        const {rules, chain, held} = this, {times, steps} = key;
        chain.depth = this.spoiltDepth = 0;
        this.spoiltStart = -Infinity;
        held.clear();
        const hasTime = (i) => steps[i] !== 0 && times[i] < rules.until && end - times[i] < rules.window;
        let head = from, index = from, isOpen = false, all = 0;
        for (let i = from; i < to; i++) all |= steps[i];
        // Nothing is deeper than all steps that the key has.
        const most = rules.spoiling.length ? this.count : size(all);
        while (index < to && chain.depth < most) {
            const time = times[index], moment = index;
            let exclusions = 0;
            for (; index < to && times[index] === time; index++) exclusions |= key.exclusions[index];
            for (; head < moment && time - times[head] > rules.window; head++) {
                if (steps[head]) held.change(steps[head], -1);
                isOpen ||= hasTime(head);
            }
            if (exclusions) this.exclude(exclusions, key, head, moment, time);
            if (exclusions && this.count > 1) {
                held.clear();
                head = moment;
            }
            while (head < moment && !steps[head]) head++;
            if ((head < moment ? times[head] : time) >= rules.until) break;
            for (let i = moment; i < index; i++) {
                if (!steps[i]) continue;
                this.takeSpoilt(steps[i], time);
                held.change(steps[i], 1);
            }
            if (size(held.union) > chain.depth && held.size() > chain.depth) this.keep(key, head, index);
        }
        if (chain.depth === 0 || chain.depth < this.spoiltDepth) return null;
        for (; head < (chain.depth < this.count ? to : index); head++) isOpen ||= hasTime(head);
        chain.isOpen = isOpen;
        return chain;
    }
    keep(key, from, to) {
        const {chain, bag} = this;
        let found = 0, before = 0;
        bag.clear();
        for (let i = from; i < to; i++) {
            if (!key.steps[i]) continue;
            bag.change(key.steps[i], 1);
            for (const most = size(bag.union) > found ? bag.size() : 0; found < most; found++) {
                if (found === 0) this.start = key.times[i];
                if (found >= chain.depth) {
                    chain.times[found] = key.times[i];
                    chain.fromFirst[found] = key.times[i] - this.start;
                    chain.fromPrevious[found] = found === 0 ? 0 : key.times[i] - before;
                }
                before = key.times[i];
            }
        }
        chain.depth = found;
        chain.taken = -1 >>> 32 - found;
    }
    exclude(exclusions, key, from, to, time) {
        const {rules, chain, spoilt} = this;
        if (rules.standing(exclusions, rules.spoiling)) {
            const most = this.held.size();
            this.spoil(most);
            // The latest events that fill as many steps.
            if (most) spoilt.clear();
            for (let i = to - 1; most && i >= from; i--) {
                if (!key.steps[i]) continue;
                spoilt.change(key.steps[i], 1);
                this.spoiltStart = key.times[i];
                if (size(spoilt.union) >= most && spoilt.size() === most) break;
            }
            if (chain.depth > 0 && time - this.start <= rules.window) {
                this.spoil(chain.depth);
                chain.depth = 0;
            }
        }
        if (rules.standing(exclusions, rules.ending)) this.spoiltStart = -Infinity;
    }
    spoil(depth) { this.spoiltDepth = Math.max(this.spoiltDepth, depth); }
    takeSpoilt(own, time) {
        if (time - this.spoiltStart > this.rules.window) return;
        const before = this.spoilt.size();
        this.spoilt.change(own, 1);
        if (this.spoilt.size() > before) {
            this.spoil(before + 1);
            this.spoiltStart = -Infinity;
        } else this.spoilt.change(own, -1);
    }
}
const engine = (d) => {
    const rules = new ChainRules(d);
    const isPlain = !rules.isStrict && !d.exclusions.length && rules.stepWindow === Infinity && !rules.layout.hasOptional;
    return new (d.order === "any" ? AnyOrderChains : isPlain ? OrderedChains : GeneralChains)(d, rules);
};
