"use strict";
// Counts what a page holds, by the definitions of `looptrail help funnel`.

// What does not follow the grammar; and what the page cannot count exactly.
class Wrong extends Error {}
class Refused extends Error {}
const wrong = (text) => { throw new Wrong(text); };
const refuse = (what, why) => { throw Object.assign(new Refused(what), {what, why}); };
const damaged = (text) => { throw new Error(text); };
const DAY = 86400000;
const bit = (n) => 1 << n;
const lowest = (bits) => 31 - Math.clz32(bits & -bits);
const highest = (bits) => 31 - Math.clz32(bits);
// How many bits are set.
const size = (bits) => {
    let count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
};
const sum = (list, of) => list.reduce((total, one, i) => total + of(one, i), 0);
const sumOf = (list, key) => sum(list, (one) => one[key]);
// The value of a key in a map, made if there is none.
const entry = (map, key, make = () => []) => {
    let value = map.get(key);
    if (value === undefined) map.set(key, value = make());
    return value;
};
// By the bytes of UTF-8: surrogates stand behind all others.
const order = (a, b) => {
    const rank = (unit) => unit >= 0xD800 && unit < 0xE000 ? unit + 0x10000 : unit;
    for (let i = 0; i < a.length && i < b.length; i++) {
        const x = a.charCodeAt(i), y = b.charCodeAt(i);
        if (x !== y) return rank(x) - rank(y);
    }
    return a.length - b.length;
};
// The index of the first of rising times that is not before another.
const indexOf = (times, count, time) => {
    let low = 0, high = count;
    while (low < high) {
        const middle = low + high >> 1;
        if (times[middle] < time) low = middle + 1;
        else high = middle;
    }
    return low;
};
// The index of the last of rising whole numbers that is not behind another.
const lastOf = (numbers, number) => indexOf(numbers, numbers.length, number + 1) - 1;
// A time in UTC; beyond what dates reach its number.
const momentText = (ms) => {
    const date = new Date(ms);
    return isNaN(date) ? `${ms} ms` : date.toISOString().replace("T", " ").replace(/^\+0*|(\.000)?Z$/g, "");
};

// Reads a column of varints; body gets two readers: of the next one, and of a signed step from a number.
const varints = (bytes, body) => {
    let at = 0;
    const next = () => {
        let byte = bytes[at++], value = byte & 0x7F;
        for (let scale = 128; byte >= 0x80; scale *= 128) {
            byte = bytes[at++];
            value += (byte & 0x7F) * scale;
        }
        return value;
    };
    // Only differences of times exceed 2^53, and only their sums must be exact.
    const zigzag = (from) => {
        const start = at, value = next();
        if (value < 2 ** 52) return from + (value % 2 ? -(value + 1) / 2 : value / 2);
        const exact = bytes.subarray(start, at).reduceRight((sum, byte) => sum << 7n | BigInt(byte & 0x7F), 0n);
        return Number(BigInt(from) + (exact % 2n ? -(exact + 1n) / 2n : exact / 2n));
    };
    const result = body(next, zigzag);
    if (at !== bytes.length) damaged("a column has another length than its head says");
    return result;
};
const floats = (length) => new Float64Array(length), uints = (length) => new Uint32Array(length), ints = (length) => new Int32Array(length);
const numbers = (length, most) => new (most < 256 ? Uint8Array : most < 65536 ? Uint16Array : Uint32Array)(length);

// Numbers at the first places of a list.
const picked = (all, list, count, own = new all.constructor(count)) => {
    for (let i = 0; i < count; i++) own[i] = all[list[i]];
    return own;
};
// The indices of numbers by rising number, and where those of each number begin.
const inOrder = (all, count) => {
    const starts = uints(count + 1), list = uints(all.length);
    for (const one of all) starts[one + 1]++;
    for (let i = 1; i <= count; i++) starts[i] += starts[i - 1];
    const next = starts.slice();
    for (let i = 0; i < all.length; i++) list[next[all[i]]++] = i;
    return {starts, list};
};

// The events of a page with their times, names and sessions; users' events stand together, those of nobody first.
class Data {
    // column: gives the bytes of a column by its name.
    constructor(head, column) {
        if (head.looptrail_explore !== 1) damaged(`the page is of version ${head.looptrail_explore}, and this engine reads 1`);
        const {events, users} = head, starts = uints(users + 2);
        Object.assign(this, {head, column, starts});
        varints(column("u"), (next) => { for (let i = 0; i <= users; i++) starts[i + 1] = starts[i] + next(); });
        const agree = (a, b, what) => a === b || damaged(`the head and a column name different numbers of ${what}`);
        agree(starts[users + 1], events, "events");
        this.times = varints(column("t"), (next, zigzag) => {
            const times = floats(events);
            for (let user = 0, first = head.base_ms; user <= users; user++) {
                if (starts[user] === starts[user + 1]) continue;
                let time = first = zigzag(first);
                times[starts[user]] = time;
                for (let i = starts[user] + 1; i < starts[user + 1]; i++) times[i] = time += next();
            }
            return times;
        });
        this.names = varints(column("n"), (next) => {
            const names = numbers(events, head.names.length);
            for (let i = 0; i < events; i++) if ((names[i] = next()) >= head.names.length) damaged("an unknown name");
            return names;
        });
        this.sessions = varints(column("s"), (next) => {
            const sessions = numbers(events, head.sessions + 1);
            let met = 0;
            for (let user = 0; user <= users; user++) {
                for (let i = starts[user], session = 0; i < starts[user + 1]; i++) {
                    const code = next();
                    sessions[i] = session = code === 0 ? session : code === 1 ? ++met : code - 2;
                }
            }
            agree(met, head.sessions, "sessions");
            return sessions;
        });
        this.props = head.props.map((property, index) => ({...property, source: "event", index}));
        this.session = head.session.map((property, index) => ({...property, source: "session", index}));
    }

    // The code of each event at a property; 0 for none.
    codes(property) {
        if (property.codes) return property.codes;
        const most = property.values.length + property.ranges.length + 1, codes = numbers(this.names.length, most);
        const known = (code) => code <= most ? code : damaged("this page's data are damaged: an unknown value");
        if (property.source === "session") this.takeContexts(property.index, codes, known);
        else varints(this.column(`p${property.index}`), (next) => {
            const carries = new Uint8Array(this.head.names.length);
            for (const name of property.names) carries[name] = 1;
            for (let i = 0; i < codes.length; i++) if (carries[this.names[i]]) codes[i] = known(next());
        });
        return property.codes = codes;
    }

    // For each event what its session had at a path at that time.
    takeContexts(path, taken, known) {
        const {rows, times, codes, paths} = this.contexts;
        for (let i = 0; i < taken.length; i++) {
            const session = this.sessions[i], end = rows[session + 1];
            let row = rows[session];
            if (!session || row === end) continue;
            while (row + 1 < end && times[row + 1] <= this.times[i]) row++;
            taken[i] = known(codes[row * paths + path]);
        }
    }

    // How sessions began: where the rows of each begin, their times, and the code of each at each path.
    get contexts() {
        if (this.began) return this.began;
        const {sessions, base_ms: base} = this.head, paths = this.session.length, rows = uints(sessions + 2), times = [];
        const column = this.column("x"), codes = uints(column.length);
        varints(column, (next, zigzag) => {
            for (let s = 1, time = base, code = 0; s <= sessions; s++) {
                const n = next();
                for (let r = 0; r < n; r++) {
                    if (n > 1) time = zigzag(time);
                    times.push(time);
                    for (let p = 0; p < paths; p++) codes[code++] = next();
                }
                rows[s + 1] = rows[s] + n;
            }
        });
        return this.began = {rows, times, codes, paths};
    }

    // When each session was last heard of.
    get lasts() {
        if (this.heard) return this.heard;
        const heard = this.heard = floats(this.head.sessions + 1).fill(-Infinity);
        const hear = (session, time) => { if (time > heard[session]) heard[session] = time; };
        for (let i = 0; i < this.sessions.length; i++) hear(this.sessions[i], this.times[i]);
        for (const [session, time] of this.head.late) hear(session, time);
        return heard;
    }

    // Where the events of each key begin, and their order by time; null where it is the page's.
    keys(by) {
        const {head: {users, sessions: most}, sessions, times} = this;
        if (by === "user") return {count: users, starts: this.starts, order: null};
        if (this.bySession) return this.bySession;
        const {starts, list} = inOrder(sessions, most + 1);
        // Blocks are by time; a session of several users is not.
        for (let s = 1; s <= most; s++) {
            const own = list.subarray(starts[s], starts[s + 1]);
            if (own.some((event, i) => i > 0 && times[event] < times[own[i - 1]])) own.sort((a, b) => times[a] - times[b]);
        }
        return this.bySession = {count: most, starts, order: list};
    }

    // The user of an event; 0 for nobody.
    userOf(event) {
        const {starts, found} = this;
        if (starts[found] <= event && event < starts[found + 1]) return found;
        return this.found = lastOf(starts, event);
    }

    numberOf(name) { return this.head.names.indexOf(name); }

    // The column of a path; an empty one where the data have none. What the page does not hold is refused.
    property(source, path) {
        const held = (source === "event" ? this.props : this.session).find((one) => JSON.stringify(one.path) === JSON.stringify(path));
        if (held) return held;
        const what = pathText(path, source);
        if (path.length > 8) refuse(what, "the page holds properties up to eight keys deep");
        // What few users have stands as the object around it.
        const isIn = (one) => one.session === (source === "session") && one.path.every((key, i) => key === path[i]);
        if (this.head.left_out.some(isIn)) refuse(what, "nothing has it, too few users have its values, or it was left out");
        return {values: [], ranges: [], codes: new Uint8Array(this.names.length)};
    }

    // When the data end, as `DayCounts.end` has it: few events far behind all others do not count.
    end(gap) {
        const {days} = this.head, total = sumOf(days, 0);
        let end = days.at(-1)[2], behind = 0;
        for (let i = days.length - 1; i > 0; i--) {
            behind += days[i][0];
            const before = days[i - 1][2], distance = days[i][1] - before;
            const isFew = behind * (distance > Math.max(before - days[0][1], 365 * DAY) ? 50 : 1000) < total;
            if (isFew && distance > Math.max(gap, DAY)) end = before;
        }
        return end;
    }
}
