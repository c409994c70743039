"use strict";
// Counts what a page holds, by the definitions of `looptrail help funnel`. The parts have the names of what they do alike in the command:
// OrderedChains, GeneralChains, SpoilingChains, AnyOrderChains, MomentMatching, MomentOrders, GroupFold, RetentionCounter, PathFollower.
const Explore = (() => {
    // What does not follow the grammar, with the column; and what the page cannot count exactly, with the command that can.
    class Wrong extends Error {}
    class Refused extends Error {
        constructor(what, why) {
            super(`${what}: ${why}`);
            this.what = what;
            this.why = why;
        }
    }
    const DAY = 86400000;
    const bit = (n) => 1 << n;
    const highest = (bits) => 31 - Math.clz32(bits);
    const count = (bits) => {
        let n = 0;
        for (; bits; bits &= bits - 1) n++;
        return n;
    };
    const steps = function* (bits) {
        for (; bits; bits &= bits - 1) yield 31 - Math.clz32(bits & -bits);
    };
    // By the bytes of UTF-8, which is by code points: units of surrogates stand behind all others.
    const order = (a, b) => {
        const n = Math.min(a.length, b.length);
        for (let i = 0; i < n; i++) {
            const x = a.charCodeAt(i), y = b.charCodeAt(i);
            if (x !== y) return (x >= 0xD800 && x < 0xE000) === (y >= 0xD800 && y < 0xE000) ? x - y : x >= 0xD800 && x < 0xE000 ? 1 : -1;
        }
        return a.length - b.length;
    };
    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

    // MARK: Payload

    const varints = (bytes, body) => {
        let at = 0;
        const next = () => {
            let byte = bytes[at++];
            if (byte < 0x80) return byte;
            let value = byte & 0x7F, scale = 128;
            do {
                if (at >= bytes.length) throw new Error("a column is cut");
                byte = bytes[at++];
                value += (byte & 0x7F) * scale;
                scale *= 128;
            } while (byte >= 0x80);
            return value;
        };
        // Beyond 2^53 only differences of times are, and of those only the sum must be exact.
        const zigzag = (from) => {
            const start = at, value = next();
            if (value < 2 ** 52) return from + (value % 2 ? -(value + 1) / 2 : value / 2);
            let exact = 0n;
            for (let i = at - 1; i >= start; i--) exact = exact << 7n | BigInt(bytes[i] & 0x7F);
            return Number(BigInt(from) + (exact % 2n ? -(exact + 1n) / 2n : exact / 2n));
        };
        const result = body(next, zigzag);
        if (at !== bytes.length) throw new Error("a column has another length than its head says");
        return result;
    };
    const numbers = (length, most) => new (most < 256 ? Uint8Array : most < 65536 ? Uint16Array : Uint32Array)(length);

    // The events of a page: of each when, its name, its session; users' events stand together, those of nobody first.
    class Data {
        // column: gives the bytes of a column by its name.
        constructor(head, column) {
            if (head.looptrail_explore !== 1) throw new Error(`the page is of version ${head.looptrail_explore}, and this engine reads 1`);
            this.head = head;
            this.column = column;
            this.events = head.events;
            this.starts = varints(column("u"), (next) => {
                const starts = new Uint32Array(head.users + 2);
                for (let i = 0; i <= head.users; i++) starts[i + 1] = starts[i] + next();
                return starts;
            });
            if (this.starts[head.users + 1] !== head.events) throw new Error("the head and a column name different numbers of events");
            const starts = this.starts;
            this.times = varints(column("t"), (next, zigzag) => {
                const times = new Float64Array(head.events);
                for (let user = 0, first = head.base_ms; user <= head.users; user++) {
                    if (starts[user] === starts[user + 1]) continue;
                    let time = first = zigzag(first);
                    times[starts[user]] = time;
                    for (let i = starts[user] + 1; i < starts[user + 1]; i++) times[i] = time += next();
                }
                return times;
            });
            this.names = varints(column("n"), (next) => {
                const names = numbers(head.events, head.names.length);
                for (let i = 0; i < names.length; i++) if ((names[i] = next()) >= head.names.length) throw new Error("an unknown name");
                return names;
            });
            this.sessions = varints(column("s"), (next) => {
                const sessions = numbers(head.events, head.sessions + 1);
                let met = 0;
                for (let user = 0; user <= head.users; user++) {
                    for (let i = starts[user], session = 0; i < starts[user + 1]; i++) {
                        const code = next();
                        sessions[i] = session = code === 0 ? session : code === 1 ? ++met : code - 2;
                    }
                }
                if (met !== head.sessions) throw new Error("the head and a column name different numbers of sessions");
                return sessions;
            });
            this.props = head.props.map((property, i) => ({...property, source: "event", index: i}));
            this.session = head.session.map((property, i) => ({...property, source: "session", index: i}));
        }

        // The code of each event in a property's column; 0 for none.
        codes(property) {
            if (property.codes) return property.codes;
            const carries = new Uint8Array(this.head.names.length);
            for (const name of property.names) carries[name] = 1;
            const {names} = this;
            return property.codes = varints(this.column(`p${property.index}`), (next) => {
                const codes = numbers(this.events, property.values.length + property.ranges.length + 1);
                for (let i = 0; i < codes.length; i++) if (carries[names[i]]) codes[i] = next();
                return codes;
            });
        }

        // How sessions began: where the rows of each begin, their times, and for each path what stands in each row.
        get contexts() {
            if (this.began) return this.began;
            const paths = this.session.length, rows = new Uint32Array(this.head.sessions + 2), times = [], codes = [];
            varints(this.column("x"), (next, zigzag) => {
                for (let s = 1, time = this.head.base_ms; s <= this.head.sessions; s++) {
                    const n = next();
                    for (let r = 0; r < n; r++) {
                        if (n > 1) time = zigzag(time);
                        times.push(n > 1 ? time : 0);
                        for (let p = 0; p < paths; p++) codes.push(next());
                    }
                    rows[s + 1] = rows[s] + n;
                }
            });
            return this.began = {rows, times: Float64Array.from(times), codes: Uint32Array.from(codes), paths};
        }

        // The code of an event's session at a path, as it was at the event.
        context(property, event) {
            const {rows, times, codes, paths} = this.contexts, session = this.sessions[event];
            let row = rows[session];
            const end = rows[session + 1];
            if (session === 0 || row === end) return 0;
            while (row + 1 < end && times[row + 1] <= this.times[event]) row++;
            return codes[row * paths + property.index];
        }

        // When each session was last heard of.
        get lasts() {
            if (this.heard) return this.heard;
            this.heard = new Float64Array(this.head.sessions + 1).fill(-Infinity);
            this.sessions.forEach((session, i) => { if (this.times[i] > this.heard[session]) this.heard[session] = this.times[i]; });
            for (const [session, time] of this.head.late) this.heard[session] = Math.max(this.heard[session], time);
            return this.heard;
        }

        // The user of an event; 0 for nobody.
        userOf(event) { return indexOf(this.starts, this.starts.length, event + 1) - 1; }

        // Where an event's name, or a number of it, is found.
        numberOf(name) {
            this.byName ??= new Map(this.head.names.map((name, number) => [name, number]));
            return this.byName.get(name) ?? -1;
        }

        // The column of a path; null where the data have none. What the page does not hold is refused.
        property(source, path) {
            const what = pathText(path, source);
            const held = (source === "event" ? this.props : this.session).find((one) => same(one.path, path));
            if (held) return held;
            if (path.length > 8) throw new Refused(what, "the page holds properties up to eight keys deep");
            const left = this.head.left_out.find((one) => one.session === (source === "session") && same(one.path, path));
            if (left) throw new Refused(what, `its ${left.values} values are not in the page: too few users have each, or it was left out`);
            return null;
        }

        // When the data end: fewer than one event in 1,000 that lie behind a gap do not count.
        end(gap) {
            const {days} = this.head;
            if (!days.length) return null;
            const total = days.reduce((sum, day) => sum + day[0], 0);
            let end = days[days.length - 1][2], behind = 0;
            for (let i = days.length - 1; i > 0; i--) {
                behind += days[i][0];
                if (behind * 1000 >= total) break;
                if (days[i][1] - days[i - 1][2] > Math.max(gap, DAY)) end = days[i - 1][2];
            }
            return end;
        }
    }

    // MARK: Grammar

    const isSpace = (c) => c === " " || c === "\t" || c === "\n" || c === "\r";
    const isControl = (c) => /\p{Cc}/u.test(c);
    const endsName = (c) => '>()|[]?"@!'.includes(c);
    const OPERATORS = ["!=", "<=", ">=", "=", "<", ">", "~"];
    const endsSegment = (c) => '.,=!<>~'.includes(c) || endsName(c);
    const endsValue = (c) => ',]"'.includes(c);
    const trimmed = (text) => text !== "" && !isSpace([...text][0]) && !isSpace([...text].at(-1));
    const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;
    const isBare = (text) => trimmed(text) && ![...text].some((c) => endsName(c) || isControl(c));
    const nameText = (name) => isBare(name) && name !== "*" ? name : quoted(name);
    const segmentText = (key) => isBare(key) && ![...key].some(endsSegment) ? key : quoted(key);
    const keysText = (path) => path.map(segmentText).join(".");
    const pathText = (path, source, mark) => (source === "event" ? "props." : "session.")
        + path.map((key) => mark && key.includes(mark) ? quoted(key) : segmentText(key)).join(".");
    const valueText = (value) =>
        trimmed(value) && !OPERATORS.some((o) => value.startsWith(o)) && ![...value].some((c) => endsValue(c) || isControl(c)) ? value : quoted(value);
    const testText = (test) => {
        const own = test.source === "session" ? `session.${keysText(test.path)}`
            : test.path.length > 1 && test.path[0] === "session" ? `${quoted("session")}.${keysText(test.path.slice(1))}` : keysText(test.path);
        return own + test.op + valueText(test.value);
    };
    const titleOf = (pattern) => pattern.names === null ? "*"
        : pattern.names.length === 1 ? pattern.names[0] : `(${pattern.names.map(nameText).join(" | ")})`;
    const filterOf = (pattern) => pattern.tests.length ? pattern.tests.map(testText).join(",") : null;
    const patternText = (pattern) => (pattern.names?.length === 1 ? nameText(pattern.names[0]) : titleOf(pattern))
        + (pattern.tests.length ? `[${filterOf(pattern)}]` : "");
    const stepText = (step) => patternText(step) + (step.optional ? "?" : "");
    const exclusionText = (one) => (one.spoils ? "!" : "") + patternText(one) + (one.range ? `@${one.range[0]}-${one.range[1]}` : "");

    class Grammar {
        constructor(text, subject) {
            this.all = [...text];
            this.subject = subject;
            this.at = 0;
        }
        get current() { return this.all[this.at]; }
        fail(expected, at = this.at, found) {
            const c = this.all[at];
            const what = found ?? (c === undefined ? "the end" : /[\p{C}\p{Zl}\p{Zp}]/u.test(c)
                ? `the character U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}` : `\`${c}\``);
            throw new Wrong(`${this.subject}, column ${at + 1}: found ${what}, expected ${expected}`);
        }
        take(c) {
            if (this.current !== c) return false;
            this.at++;
            return true;
        }
        space() { while (this.at < this.all.length && isSpace(this.current)) this.at++; }
        quoted() {
            const opening = this.at++;
            for (let text = ""; this.at < this.all.length; this.at++) {
                const c = this.current;
                if (c === '"') {
                    this.at++;
                    return text;
                }
                if (c === "\\") {
                    if (this.all[this.at + 1] !== '"' && this.all[this.at + 1] !== "\\") this.fail('`\\"` or `\\\\`: there are no other escapes');
                    this.at++;
                }
                text += this.current;
            }
            return this.fail(`\`"\`, to close the one at column ${opening + 1}`);
        }
        bare(expected, ends, allows) {
            const start = this.at;
            while (this.at < this.all.length && !ends(this.current)) this.at++;
            let low = start, high = this.at;
            while (low < high && isSpace(this.all[low])) low++;
            while (low < high && isSpace(this.all[high - 1])) high--;
            const control = allows ? -1 : this.all.slice(low, high).findIndex(isControl);
            if (control >= 0) this.fail("a name without control characters (or the name in quotes)", low + control);
            if (low === high) this.fail(expected);
            for (const at of [low, high - 1]) if ("“”„‘’‚«»".includes(this.all[at])) this.fail('a straight quote, `"`', at);
            return this.all.slice(low, high).join("");
        }
        name(expected) { return this.current === '"' ? this.quoted() : this.bare(expected, endsName); }
        names() {
            let start = this.at;
            if (!this.take("(")) {
                const name = this.name("a step: a name, `*` or `(`");
                return name === "*" && this.all.slice(start).find((c) => !isSpace(c)) === "*" ? null : [name];
            }
            for (const list = [];;) {
                this.space();
                start = this.at;
                const name = this.name("a name");
                if (name === "*" && this.all[start] === "*") this.fail("a name: `*` stands alone, for any event", start);
                if (!list.includes(name)) list.push(name);
                this.space();
                if (this.take(")")) return list;
                if (!this.take("|")) this.fail("`|` or `)`");
            }
        }
        path() {
            const path = [];
            do {
                this.space();
                path.push(this.current === '"' ? this.quoted() : this.bare("a property's key", endsSegment));
                this.space();
            } while (this.take("."));
            return path;
        }
        operator() {
            const found = OPERATORS.find((o) => this.all.slice(this.at, this.at + o.length).join("") === o);
            if (found) this.at += found.length;
            return found;
        }
        tests() {
            for (const tests = [];;) {
                this.space();
                const start = this.at, isBareKey = this.current !== '"', path = this.path();
                if (isBareKey && path.length > 1 && path[0] === "props") this.fail(`\`${keysText(path.slice(1))}\``, start, "`props.`");
                const source = isBareKey && path.length > 1 && path[0] === "session" ? "session" : "event", sign = this.at;
                const op = this.operator();
                if (!op) this.fail("an operator, `=` `!=` `<` `<=` `>` `>=` or `~`, or `.` and a deeper key");
                this.space();
                if (this.operator()) this.fail("one operator (a value that begins with one goes in quotes)", sign);
                let value;
                if (this.current === '"') value = this.quoted();
                else {
                    value = this.bare('a value (the empty one is `""`)', endsValue, true);
                    if (this.current === '"') this.fail("`,` or `]` (a value with quotes in it goes in quotes)");
                }
                tests.push({source, path: source === "session" ? path.slice(1) : path, op, value});
                this.space();
                if (this.take("]")) return tests;
                if (!this.take(",")) this.fail("`,` or `]`");
            }
        }
        pattern() {
            const names = this.names();
            this.space();
            const tests = this.take("[") ? this.tests() : [];
            this.space();
            return {names, tests};
        }
        steps() {
            for (const list = [];;) {
                this.space();
                if (list.length === 32) this.fail("at most 32 steps", this.at, "one more step");
                const pattern = this.pattern(), mark = this.at, optional = this.take("?");
                if (optional && !list.length) this.fail("`>` or the end: the first step is never optional", mark);
                list.push({...pattern, optional});
                this.space();
                if (this.current === undefined) return list;
                if (!this.take(">")) this.fail(optional ? "`>` or the end" : pattern.tests.length ? "`?`, `>` or the end" : "`[`, `?`, `>` or the end");
            }
        }
        exclusion() {
            this.space();
            const spoils = this.take("!");
            this.space();
            if (this.current === undefined) this.fail("an event: a name, `*` or `(`");
            const pattern = this.pattern();
            if (!this.take("@")) {
                if (this.current !== undefined) this.fail("`[`, `@` or the end");
                return {...pattern, spoils, range: null};
            }
            const digits = () => {
                this.space();
                const start = this.at;
                while (/^[0-9]$/.test(this.current ?? "")) this.at++;
                if (start === this.at) this.fail("a step's number, 1 for the first");
                return Number(this.all.slice(start, this.at).join(""));
            };
            const first = digits();
            if (first === 0) this.fail("a step from 1 on", this.at - 1);
            this.space();
            if (!this.take("-")) this.fail("`-` and a later step, as in `@2-4`");
            const last = digits();
            if (last <= first) this.fail(`a step after ${first}: an exclusion lies between two steps`, this.at - 1, `\`${last}\``);
            this.space();
            if (this.current !== undefined) this.fail("the end");
            return {...pattern, spoils, range: [first, last]};
        }
        single() {
            this.space();
            const pattern = this.pattern();
            if (this.current !== undefined) this.fail("`[` or the end");
            return pattern;
        }
    }
    const UNITS = [["w", 604800000], ["d", DAY], ["h", 3600000], ["m", 60000], ["s", 1000], ["ms", 1]];
    const duration = (text, subject) => {
        let rest = text, sum = 0, last = Infinity;
        do {
            const found = /^([0-9]+)([^0-9]*)/.exec(rest);
            const column = text.length - rest.length + 1;
            if (!found) throw new Wrong(`${subject}, column ${column}: expected digits and a unit, such as \`90s\`, \`1h30m\` or \`7d\``);
            const size = UNITS.find(([unit]) => unit === found[2])?.[1];
            if (!size) throw new Wrong(`${subject}, column ${column + found[1].length}: expected a unit: \`ms\`, \`s\`, \`m\`, \`h\`, \`d\` or \`w\``);
            if (size >= last) throw new Wrong(`${subject}, column ${column}: expected a smaller unit than the one before, as in \`1h30m\``);
            last = size;
            sum += Number(found[1]) * size;
            rest = rest.slice(found[0].length);
        } while (rest !== "");
        if (sum > 2 ** 52) throw new Refused(`--${subject} ${text}`, "the page counts with less than 140,000 years");
        return sum;
    };
    const durationText = (ms) => {
        if (ms === 0) return "0s";
        const [unit, size] = UNITS.slice(1).find(([, size]) => ms % size === 0);
        return `${ms / size}${unit}`;
    };

    // MARK: Values

    const NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
    // A number as NumberText has it: whole where it is within 64 bits, beyond doubles by its digits; null for what is no number.
    const numberOf = (text) => {
        if (!NUMBER.test(text)) return null;
        const value = Number(text);
        if (Number.isSafeInteger(value) && value !== 0 || value === 0 && !/[1-9]/.test(text.split(/e/i)[0])) return {value, whole: null};
        const [mantissa, power = "0"] = text.replace("-", "").split(/e/i), [integral, fraction = ""] = mantissa.split(".");
        const digits = (integral + fraction).replace(/^0+/, "").replace(/0+$/, "");
        const lost = (integral + fraction).length - (integral + fraction).replace(/^0+/, "").length;
        const first = Number(power) + integral.length - lost, isNegative = text.startsWith("-");
        if (Math.abs(value) < 2e19 && digits.length <= first && first <= 20) {
            const whole = BigInt(digits) * 10n ** BigInt(first - digits.length) * (isNegative ? -1n : 1n);
            if (whole < 2n ** 63n && whole > -(2n ** 63n)) return {value, whole};
        }
        return Number.isFinite(value) ? {value, whole: null} : {value, whole: null, isNegative, first, digits};
    };
    const orderNumbers = (a, b) => {
        const whole = (n) => n.whole ?? (Number.isSafeInteger(n.value) ? BigInt(n.value) : null);
        if (a.whole !== null || b.whole !== null) {
            const [x, y] = [whole(a), whole(b)];
            if (x !== null && y !== null) return x < y ? -1 : x > y ? 1 : 0;
        }
        if (a.digits !== undefined && b.digits !== undefined && a.isNegative === b.isNegative) {
            const sign = a.isNegative ? -1 : 1;
            return sign * (a.first !== b.first ? a.first - b.first : order(a.digits, b.digits));
        }
        return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
    };
    const holdsInOrder = {"=": (o) => o === 0, "!=": (o) => o !== 0, "<": (o) => o < 0, "<=": (o) => o <= 0, ">": (o) => o > 0, ">=": (o) => o >= 0};

    // What a test says of each code of a column: 0 false, 1 true, 2 for folded values of which it holds for some.
    const answers = (test, property) => {
        const wanted = numberOf(test.value), holds = holdsInOrder[test.op];
        const ofText = (text) => {
            if (!holds) return text.includes(test.value);
            const number = wanted && numberOf(text);
            return holds(number ? orderNumbers(number, wanted) : order(text, test.value));
        };
        const known = new Set(property.values), table = [test.op === "!=", ...property.values.map(ofText)];
        for (const [low, high] of property.ranges) {
            // Both borders lie outside.
            if (test.op === "~") table.push(test.value === "" ? 1 : 2);
            else if (wanted && high !== null && orderNumbers(numberOf(String(high)) ?? {value: high, whole: null}, wanted) <= 0) table.push(holds(-1));
            else if (wanted && low !== null && orderNumbers(numberOf(String(low)) ?? {value: low, whole: null}, wanted) >= 0) table.push(holds(1));
            else if (!wanted && (test.op === "=" || test.op === "!=")) table.push(test.op === "!=");
            else table.push(2);
        }
        // No folded text is a number, and none is one of the values.
        if ((test.op === "=" || test.op === "!=") && (wanted || known.has(test.value) || test.value === "true" || test.value === "false")) {
            table.push(test.op === "!=");
        } else table.push(test.op === "~" && test.value === "" ? 1 : 2);
        return Uint8Array.from(table, Number);
    };
    const refuseTest = (test, property) => {
        const wanted = numberOf(test.value);
        const range = wanted && property.ranges.find(([low, high]) => !(high !== null && high <= wanted.value || low !== null && low >= wanted.value));
        const near = (range ?? []).filter((border) => border !== null).map((border) => `\`${testText({...test, value: String(border)})}\``);
        throw new Refused(testText(test), "it holds for some of the values that few users have, which the page does not tell apart"
            + (near.length ? `; ${near.join(" and ")} can be asked` : ""));
    };

    // The steps and exclusions that events fit.
    class StepMatcher {
        constructor(data, definition) {
            this.data = data;
            const names = data.head.names.length;
            this.steps = new Int32Array(names);
            this.exclusions = new Int32Array(names);
            this.stepTests = [];
            this.exclusionTests = [];
            this.testedSteps = this.testedExclusions = 0;
            this.takesAll = definition.order === "strict";
            const add = (pattern, bits, number, tests) => {
                if (pattern.names === null) for (let n = 0; n < names; n++) bits[n] |= bit(number);
                else for (const name of pattern.names) if (data.numberOf(name) >= 0) bits[data.numberOf(name)] |= bit(number);
                tests.push(pattern.tests.map((test) => {
                    const property = data.property(test.source, test.path);
                    if (!property) return {never: test.op !== "!="};
                    const table = answers(test, property);
                    return {test, property, table, codes: test.source === "event" ? data.codes(property) : null};
                }).filter((one) => one.never !== false));
            };
            definition.steps.forEach((step, i) => add(step, this.steps, i, this.stepTests));
            definition.exclusions.forEach((one, i) => add(one, this.exclusions, i, this.exclusionTests));
            this.stepTests.forEach((tests, i) => { if (tests.length) this.testedSteps |= bit(i); });
            this.exclusionTests.forEach((tests, i) => { if (tests.length) this.testedExclusions |= bit(i); });
        }
        holds(tests, event) {
            let open = null;
            for (const one of tests) {
                if (one.never) return false;
                const answer = one.table[one.codes ? one.codes[event] : this.data.context(one.property, event)];
                if (answer === 0) return false;
                if (answer === 2) open = one;
            }
            if (open) refuseTest(open.test, open.property);
            return true;
        }
        left(bits, tested, tests, event) {
            for (let rest = bits & tested; rest; rest &= rest - 1) {
                const low = rest & -rest;
                if (!this.holds(tests[31 - Math.clz32(low)], event)) bits &= ~low;
            }
            return bits;
        }
    }

    // One key's events that a question wants, by rising time: used over and over.
    class KeyEvents {
        constructor() { this.reserve(256); }
        reserve(size) {
            this.size = size;
            this.times = new Float64Array(size);
            this.steps = new Int32Array(size);
            this.exclusions = new Int32Array(size);
            this.values = new Uint32Array(size);
            this.index = new Uint32Array(size);
        }
        // Takes an event of others; what was reserved doubles when it is full.
        push(other, i, steps) {
            const n = this.count++;
            if (n === this.size) {
                const full = {...this};
                this.reserve(2 * n);
                for (const name of ["times", "steps", "exclusions", "values", "index"]) this[name].set(full[name]);
            }
            [this.times[n], this.steps[n], this.exclusions[n]] = [other.times[i], steps, other.exclusions[i]];
            [this.values[n], this.index[n]] = [other.values[i], other.index[i]];
        }
    }

    // Calls body with each key and its events that the definition wants.
    const forEachKey = (data, definition, value, body) => {
        const matcher = new StepMatcher(data, definition), key = new KeyEvents();
        const {steps, exclusions, testedSteps, testedExclusions, takesAll} = matcher;
        const {times, names, sessions} = data;
        const bySession = definition.by === "session", groups = bySession ? sessionOrder(data) : null;
        const starts = bySession ? groups.starts : data.starts, last = bySession ? data.head.sessions : data.head.users;
        for (let k = 1; k <= last; k++) {
            const from = starts[k], to = starts[k + 1];
            if (to - from > key.size) key.reserve(2 * (to - from));
            let n = 0;
            for (let i = from; i < to; i++) {
                const event = groups ? groups.order[i] : i, name = names[event];
                let own = steps[name], excluding = exclusions[name];
                if (!(own | excluding) && !takesAll) continue;
                if (own & testedSteps) own = matcher.left(own, testedSteps, matcher.stepTests, event);
                if (excluding & testedExclusions) excluding = matcher.left(excluding, testedExclusions, matcher.exclusionTests, event);
                if (!(own | excluding) && !takesAll) continue;
                key.times[n] = times[event];
                key.steps[n] = own;
                key.exclusions[n] = excluding;
                if (value) key.values[n] = value(event);
                key.index[n++] = event;
            }
            key.count = n;
            if (n) body(k, key);
        }
    };

    // Events by session and time: the index of each, and where those of each session begin.
    const sessionOrder = (data) => {
        if (data.grouped) return data.grouped;
        const {sessions, times} = data, starts = new Uint32Array(data.head.sessions + 2);
        for (let i = 0; i < sessions.length; i++) if (sessions[i]) starts[sessions[i] + 1]++;
        for (let s = 1; s < starts.length; s++) starts[s] += starts[s - 1];
        const next = starts.slice(), list = new Uint32Array(starts[starts.length - 1]);
        for (let i = 0; i < sessions.length; i++) if (sessions[i]) list[next[sessions[i]]++] = i;
        // Blocks are by time; a session of several users is not.
        for (let s = 1; s + 1 < starts.length; s++) {
            for (let i = starts[s] + 1; i < starts[s + 1]; i++) {
                if (times[list[i]] >= times[list[i - 1]]) continue;
                list.subarray(starts[s], starts[s + 1]).sort((a, b) => times[a] - times[b] || a - b);
                break;
            }
        }
        return data.grouped = {order: list, starts};
    };

    // MARK: Engines

    class StepLayout {
        constructor(optional) {
            this.count = optional.length;
            this.hasOptional = optional.includes(true);
            this.previous = optional.map((_, i) => Math.max(optional.lastIndexOf(false, i - 1), 0));
            if (this.count) this.previous[0] = 0;
            this.next = optional.map((_, i) => optional.indexOf(false, i + 1) < 0 ? this.count - 1 : optional.indexOf(false, i + 1));
            this.required = 0;
            this.groups = [];
            let group = 0;
            optional.forEach((one, i) => {
                group |= bit(i);
                if (one) return;
                this.required |= bit(i);
                this.groups.push(group);
                group = 0;
            });
            this.groups = [...this.groups, group].filter((bits) => count(bits) > 1);
        }
        isRequired(step) { return this.required >> step & 1; }
        narrowed(bits) {
            if (!this.hasOptional) return bits;
            for (const group of this.groups) if (count(bits & group) > 1) bits = bits & ~group | bit(highest(bits & group));
            return bits;
        }
        // The deepest step that an attempt on a step takes of these; -1 for none.
        target(from, bits) {
            if (from + 1 >= this.count) return -1;
            const wanted = bits & -1 << from + 1 & -1 >>> 31 - this.next[from];
            return wanted ? highest(wanted) : -1;
        }
    }

    // What all engines need of a definition.
    class ChainRules {
        constructor(d) {
            this.layout = new StepLayout(d.steps.map((step) => step.optional));
            this.count = d.steps.length;
            this.isStrict = d.order === "strict";
            this.window = d.window;
            this.stepWindow = d.stepWindow !== null && d.stepWindow < d.window ? d.stepWindow : Infinity;
            this.since = -Infinity;
            this.until = Infinity;
            const standing = (one) => {
                const [first, last] = one.range ?? [1, this.count];
                return first < last ? bit(last - 1) - bit(first - 1) : 0;
            };
            this.spoiling = d.exclusions.map((one) => one.spoils ? standing(one) : 0);
            this.ending = d.exclusions.map((one) => one.spoils ? 0 : standing(one));
        }
        mayStart(time) { return time >= this.since && time < this.until; }
        allows(start, last, time) { return time - start <= this.window && time - last <= this.stepWindow; }
        isOpen(start, last, end) { return end >= start && end - start < this.window && end >= last && end - last < this.stepWindow; }
        standing(exclusions, of) {
            let bits = 0;
            for (const n of steps(exclusions)) bits |= of[n];
            return bits;
        }
    }

    // The attempt that counts, with its times.
    class FunnelChain {
        constructor(n) {
            this.depth = this.taken = this.start = 0;
            this.times = new Float64Array(n);
            this.sinceFirst = new Float64Array(n);
            this.sincePrevious = new Float64Array(n);
            this.isOpen = false;
        }
        set(depth, taken, times, previous) {
            this.depth = depth;
            this.taken = taken;
            this.start = times[0];
            for (let s = 0; s < depth; s++) {
                if (!(taken >> s & 1)) continue;
                this.times[s] = times[s];
                this.sinceFirst[s] = times[s] - times[0];
                this.sincePrevious[s] = times[s] - times[previous[s]];
            }
        }
    }

    // Which steps the events of one millisecond can fill, each event at most one: a matching, grown step by step.
    class MomentMatching {
        constructor(n) { this.count = n; }
        load(key, from, to, layout) {
            this.union = 0;
            this.overlaps = false;
            this.candidates = [];
            const kept = new Array(this.count).fill(0);
            for (let i = from; i < to; i++) {
                const own = layout ? layout.narrowed(key.steps[i]) : key.steps[i];
                this.union |= own;
                if (own & own - 1) this.overlaps = true;
            }
            if (!this.overlaps) return;
            for (let i = from; i < to; i++) {
                const own = layout ? layout.narrowed(key.steps[i]) : key.steps[i];
                let wanted = false;
                for (const s of steps(own)) {
                    if (kept[s] >= this.count) continue;
                    kept[s]++;
                    wanted = true;
                }
                if (wanted) this.candidates.push(own);
            }
        }
        begin() { if (this.overlaps) this.owners = this.candidates.map(() => -1); }
        add(step) {
            if (!(this.union >> step & 1)) return false;
            if (!this.overlaps) return true;
            return this.fill(step, this.candidates.map(() => false));
        }
        fill(step, seen) {
            for (let i = 0; i < this.candidates.length; i++) {
                if (!(this.candidates[i] >> step & 1) || seen[i]) continue;
                seen[i] = true;
                if (this.owners[i] < 0 || this.fill(this.owners[i], seen)) {
                    this.owners[i] = step;
                    return true;
                }
            }
            return false;
        }
        // The first step behind a run that the events can fill.
        end(from) {
            this.begin();
            while (from < this.count && this.add(from)) from++;
            return from;
        }
        // As far as an attempt on a step can get, with as many optional steps as it can take on the way.
        furthest(from, layout) {
            this.begin();
            let taken = 0, end = from;
            while (end + 1 < layout.count) {
                const required = end < 0 ? 0 : layout.next[end];
                if (!layout.isRequired(required) || !this.add(required)) break;
                taken |= bit(required);
                end = required;
            }
            if (end < 0) return 0;
            if (end + 1 < layout.count) {
                const last = layout.isRequired(layout.next[end]) ? layout.next[end] - 1 : layout.next[end];
                for (let s = last; s > end; s--) {
                    if (!this.add(s)) continue;
                    taken |= bit(s);
                    end = s;
                    break;
                }
            }
            return taken | this.optionals(from, end, taken, layout, Infinity);
        }
        // The steps from one to exactly another; null if they cannot be filled, or if not so many events would be taken.
        between(from, end, events, layout) {
            this.begin();
            let taken = 0;
            for (let s = from + 1; s <= end; s++) {
                if (s !== end && !layout.isRequired(s)) continue;
                if (!this.add(s)) return null;
                taken |= bit(s);
            }
            const free = events === null ? Infinity : events - count(taken);
            if (free < 0) return null;
            taken |= this.optionals(from, end, taken, layout, free);
            return events === null || count(taken) === events ? taken : null;
        }
        optionals(from, end, taken, layout, left) {
            let added = 0;
            if (layout.hasOptional) {
                for (let s = from + 1; s <= end && left > 0; s++) {
                    if (taken >> s & 1 || layout.isRequired(s) || !this.add(s)) continue;
                    added |= bit(s);
                    left--;
                }
            }
            return added;
        }
    }

    // Where an attempt can stand after the events of one millisecond, in whatever order they come.
    class MomentOrders {
        load(key, from, to, layout) {
            this.kinds = [];
            this.counts = [];
            for (let i = from; i < to; i++) {
                const own = layout.narrowed(key.steps[i]);
                if (!own) continue;
                const kind = this.kinds.indexOf(own);
                if (kind >= 0) this.counts[kind] = Math.min(this.counts[kind] + 1, layout.count);
                else if (this.kinds.push(own) && this.counts.push(1) > 20) return;
            }
        }
        // null for too many choices.
        ends(from, layout) {
            let choices = 1;
            for (const n of this.counts) if ((choices *= n + 1) > 16384) return null;
            const standing = new Int32Array(choices);
            standing[0] = bit(from);
            for (let choice = 0; choice < choices; choice++) {
                let size = 1;
                this.kinds.forEach((kind, k) => {
                    const most = this.counts[k];
                    if (Math.floor(choice / size) % (most + 1) < most) {
                        for (const row of steps(standing[choice])) {
                            const target = layout.target(row, kind);
                            standing[choice + size] |= bit(target < 0 ? row : target);
                        }
                    }
                    size *= most + 1;
                });
            }
            return standing[choices - 1];
        }
    }

    // Of all attempts on a step only the one that started last matters: one chain a step.
    class OrderedChains {
        constructor(d) {
            this.rules = new ChainRules(d);
            this.count = d.steps.length;
            this.rows = new Float64Array(this.count * this.count);
            this.matching = new MomentMatching(this.count);
            this.chain = new FunnelChain(this.count);
            this.spoiltDepth = 0;
        }
        follow(key, from, to, end, body) {
            const {rows, rules, chain} = this, n = this.count, {times, steps} = key, {window, since, until} = rules;
            let depth = 0, best = 0;
            for (let i = from; i < to && depth < n;) {
                const time = times[i], before = depth;
                let next = i + 1;
                while (next < to && times[next] === time) next++;
                if (next === i + 1) {
                    for (let wanted = before > 30 ? steps[i] : steps[i] & (2 << before) - 1; wanted;) {
                        const s = highest(wanted);
                        wanted &= ~bit(s);
                        if (s === 0) {
                            if (time >= since && time < until) {
                                rows[0] = time;
                                if (depth === 0) depth = 1;
                            }
                        } else if (time - rows[(s - 1) * n] <= window && (s === before || rows[s * n] < rows[(s - 1) * n])) {
                            for (let k = 0; k < s; k++) rows[s * n + k] = rows[(s - 1) * n + k];
                            rows[s * n + s] = time;
                            if (s >= depth) depth = s + 1;
                        }
                    }
                } else depth = this.moment(key, i, next, time, before);
                if (depth > before) {
                    const row = (depth - 1) * n;
                    for (let s = 0; s < depth; s++) chain.times[s] = rows[row + s];
                    best = depth;
                }
                i = next;
            }
            if (best === 0) return;
            const latest = rows[0];
            chain.set(best, -1 >>> 32 - best, chain.times, rules.layout.previous);
            chain.isOpen = depth < n && end >= latest && end - latest < window;
            body(chain);
        }
        moment(key, i, next, time, before) {
            const {rows, rules, matching} = this, n = this.count;
            let depth = before;
            const extend = (s, end) => {
                for (let reached = s + 1; reached < end; reached++) {
                    for (let k = 0; k <= s; k++) rows[reached * n + k] = rows[s * n + k];
                    for (let k = s + 1; k <= reached; k++) rows[reached * n + k] = time;
                }
                depth = Math.max(depth, end);
            };
            matching.load(key, i, next, null);
            for (let s = before - 1; s >= 0; s--) {
                if (s + 1 < before && rows[(s + 1) * n] === rows[s * n]) continue;
                if (time - rows[s * n] > rules.window) continue;
                const end = matching.end(s + 1);
                if (end > s + 1) extend(s, end);
            }
            if (matching.union & 1 && rules.mayStart(time)) {
                const end = matching.end(0);
                rows[0] = time;
                depth = Math.max(depth, 1);
                if (end > 1) extend(0, end);
            }
            return depth;
        }
    }

    // Whether of two attempts with the same steps the first took one earlier, and all before it at the same times.
    const precedes = (taken, times, others) => {
        for (let s = 0; taken >> s; s++) if (taken >> s & 1 && times[s] !== others[s]) return times[s] < others[s];
        return false;
    };

    // Follows all attempts through optional steps, exclusions that end, step windows and strict order.
    class GeneralChains {
        constructor(d) {
            this.rules = new ChainRules(d);
            this.layout = this.rules.layout;
            this.matching = new MomentMatching(this.rules.count);
            this.orders = new MomentOrders();
            this.chain = new FunnelChain(this.rules.count);
            this.spoiltDepth = 0;
        }
        follow(key, from, to, end, body) {
            const {rules, layout} = this;
            this.rows = Array.from({length: layout.count}, () => []);
            this.best = null;
            for (let i = from; i < to && (this.best === null || highest(this.best.taken) + 1 < layout.count);) {
                const time = key.times[i];
                let next = i, exclusions = 0;
                for (; next < to && key.times[next] === time; next++) exclusions |= key.exclusions[next];
                if (exclusions) {
                    for (const row of steps(rules.standing(exclusions, rules.ending))) for (const attempt of this.leave(row)) this.note(attempt);
                }
                if (next === i + 1) this.take(layout.narrowed(key.steps[i]), time);
                else this.moment(key, i, next, time);
                i = next;
            }
            const isOpen = this.rows.some((row, r) => row.some((attempt) => rules.isOpen(attempt.times[0], attempt.times[r], end)));
            for (const row of this.rows) for (const attempt of row) this.note(attempt);
            if (!this.best) return;
            this.chain.set(highest(this.best.taken) + 1, this.best.taken, this.best.times, layout.previous);
            this.chain.isOpen = isOpen;
            body(this.chain);
        }
        leave(row) {
            const leaving = this.rows[row];
            if (leaving.length) this.rows[row] = [];
            return leaving;
        }
        // Takes an attempt if it is the best so far of those that go no further.
        note(attempt) {
            const best = this.best;
            if (best) {
                const depth = highest(attempt.taken), other = highest(best.taken), {times} = attempt;
                if (depth !== other ? depth < other
                    : times[depth] !== best.times[depth] ? times[depth] > best.times[depth]
                    : times[0] !== best.times[0] ? times[0] < best.times[0]
                    : count(attempt.taken) !== count(best.taken) ? count(attempt.taken) < count(best.taken)
                    : attempt.taken !== best.taken || !precedes(attempt.taken, times, best.times)) return;
            }
            this.best = attempt;
        }
        stand(attempt, row) {
            if (row + 1 === this.layout.count) return this.note(attempt);
            const there = this.rows[row];
            for (let i = there.length - 1; i >= 0; i--) {
                if (this.replaces(there[i], attempt, row)) return this.note(attempt);
                if (this.replaces(attempt, there[i], row)) this.note(there.splice(i, 1)[0]);
            }
            there.push(attempt);
        }
        // Whether whatever comes, the other attempt does no better.
        replaces(attempt, other, row) {
            if (this.rules.stepWindow !== Infinity && attempt.times[row] < other.times[row]) return false;
            if (attempt.times[0] !== other.times[0]) return attempt.times[0] > other.times[0];
            if (attempt.taken !== other.taken) return count(attempt.taken) >= count(other.taken);
            return !precedes(attempt.taken, other.times, attempt.times);
        }
        begin(time) {
            const times = new Array(this.layout.count).fill(0);
            times[0] = time;
            return {times, taken: 1};
        }
        add(attempt, bits, time) {
            attempt.taken |= bits;
            for (const s of steps(bits)) attempt.times[s] = time;
        }
        hasTime(attempt, row, time) { return this.rules.allows(attempt.times[0], attempt.times[row], time); }
        take(wanted, time) {
            const {layout, rules} = this;
            for (let row = layout.count - 1; row >= 0; row--) {
                if (!this.rows[row].length) continue;
                const target = layout.target(row, wanted);
                if (target < 0 && !rules.isStrict) continue;
                for (const attempt of this.leave(row)) {
                    if (target < 0 || !this.hasTime(attempt, row, time)) {
                        this.note(attempt);
                        continue;
                    }
                    this.add(attempt, bit(target), time);
                    this.stand(attempt, target);
                }
            }
            if (wanted & 1 && rules.mayStart(time)) this.stand(this.begin(time), 0);
        }
        moment(key, i, next, time) {
            const {layout, rules, matching} = this;
            matching.load(key, i, next, layout);
            if (!rules.isStrict) this.orders.load(key, i, next, layout);
            for (let row = layout.count - 1; row >= 0; row--) {
                if (!this.rows[row].length) continue;
                const furthest = matching.furthest(row, layout);
                if (!furthest && !rules.isStrict) continue;
                const ends = furthest ? this.ends(row, furthest, key, i, next) : [];
                for (const attempt of this.leave(row)) {
                    if (!this.hasTime(attempt, row, time)) {
                        this.note(attempt);
                        continue;
                    }
                    for (const end of ends) {
                        const copy = {times: attempt.times.slice(), taken: attempt.taken};
                        this.add(copy, end.taken, time);
                        this.stand(copy, end.row);
                    }
                    if (furthest && ends[0]?.row === highest(furthest)) continue;
                    this.add(attempt, furthest, time);
                    this.note(attempt);
                }
            }
            if (!(matching.union & 1) || !rules.mayStart(time)) return;
            for (let end = 0; end < layout.count; end++) {
                const taken = matching.between(-1, end, null, layout);
                if (taken === null) continue;
                const attempt = this.begin(time);
                this.add(attempt, taken & ~1, time);
                this.stand(attempt, end);
            }
        }
        // Where an attempt may stand after the millisecond, deepest first; in strict order it goes on only if it takes all events.
        ends(row, furthest, key, i, next) {
            const {rules, layout} = this, run = -1 >>> Math.clz32(furthest) & -1 << row + 1, ends = [];
            let possible;
            if (rules.isStrict) {
                possible = run;
                for (let k = i; k < next; k++) if (!key.steps[k]) possible = 0;
            } else possible = this.orders.ends(row, layout) ?? furthest;
            for (let end = layout.count - 1; end >= 0; end--) {
                if (!(possible >> end & 1)) continue;
                const taken = this.matching.between(row, end, rules.isStrict ? next - i : null, layout);
                if (taken !== null) ends.push({row: end, taken});
            }
            return ends;
        }
    }

    // An attempt that may be spoilt; it does not change: one that takes a step is another.
    const isBetter = (a, b) => {
        const last = a.times.length - 1;
        if (a.times.length !== b.times.length) return a.times.length > b.times.length;
        if (a.times[last] !== b.times[last]) return a.times[last] < b.times[last];
        if (a.times[0] !== b.times[0]) return a.times[0] > b.times[0];
        if (count(a.taken) !== count(b.taken)) return count(a.taken) > count(b.taken);
        if (a.taken !== b.taken) return false;
        for (let i = 0; i <= last; i++) if (a.times[i] !== b.times[i]) return a.times[i] < b.times[i];
        return false;
    };
    const took = (attempt, step, time) => {
        const times = attempt.times.slice();
        while (times.length < step) times.push(0);
        times.push(time);
        return {times, taken: attempt.taken | bit(step)};
    };

    // One order of a key's events so far: where its attempts stand, and what those that ended reached.
    class OrderedWay {
        constructor(rules) {
            this.rules = rules;
            this.best = null;
            this.spoiltDepth = 0;
            this.rows = Array.from({length: rules.count}, () => []);
            // Spoilt attempts until they take the one step that still counts: the latest for each step.
            this.spoilt = new Array(rules.count).fill(null);
        }
        clone() {
            const way = new OrderedWay(this.rules);
            way.best = this.best;
            way.spoiltDepth = this.spoiltDepth;
            way.rows = this.rows.map((row) => row.slice());
            way.spoilt = this.spoilt.slice();
            return way;
        }
        note(attempt) { if (!this.best || isBetter(attempt, this.best)) this.best = attempt; }
        leave(row) {
            const leaving = this.rows[row];
            this.rows[row] = [];
            return leaving;
        }
        stand(attempt) {
            const row = attempt.times.length - 1, there = this.rows[row], other = there.at(-1);
            if (row + 1 === this.rules.count) this.note(attempt);
            else if (other && other.times[0] === attempt.times[0] && other.times[row] === attempt.times[row]) {
                if (isBetter(attempt, other)) there[there.length - 1] = attempt;
            } else there.push(attempt);
        }
        allows(attempt, time) { return this.rules.allows(attempt.times[0], attempt.times.at(-1), time); }
        take(own, n, time) {
            const {rules} = this, {layout} = rules;
            for (; n > 0; n--) {
                this.spoilt.forEach((spoilt, row) => {
                    const target = spoilt ? layout.target(row, own) : -1;
                    if (target < 0) return;
                    this.spoilt[row] = null;
                    if (rules.allows(spoilt[0], spoilt[1], time)) this.spoiltDepth = Math.max(this.spoiltDepth, target + 1);
                });
                if (rules.isStrict) this.spoilt.fill(null);
                for (let row = rules.count - 1; row >= 0; row--) {
                    if (!this.rows[row].length) continue;
                    const target = layout.target(row, own);
                    if (target < 0 && !rules.isStrict) continue;
                    for (const attempt of this.leave(row)) {
                        if (target < 0 || !this.allows(attempt, time)) this.note(attempt);
                        else this.stand(took(attempt, target, time));
                    }
                }
                if (own & 1 && rules.mayStart(time)) this.stand({times: [time], taken: 1});
            }
        }
        exclude(exclusions, time) {
            const {rules} = this, spoiling = rules.standing(exclusions, rules.spoiling), ending = rules.standing(exclusions, rules.ending);
            for (const row of steps(spoiling | ending)) {
                for (const attempt of this.leave(row)) {
                    if (!(spoiling >> row & 1) || !this.allows(attempt, time)) {
                        this.note(attempt);
                        continue;
                    }
                    const start = attempt.times[0], last = attempt.times.at(-1), there = this.spoilt[row];
                    if (!there || start > there[0] || start === there[0] && last >= there[1]) this.spoilt[row] = [start, last];
                    this.spoiltDepth = Math.max(this.spoiltDepth, row + 1);
                }
            }
            for (const row of steps(ending)) if (this.spoilt[row] && rules.allows(...this.spoilt[row], time)) this.spoilt[row] = null;
        }
        expire(time) {
            this.rows.forEach((row, r) => {
                let over = 0;
                while (over < row.length && !this.allows(row[over], time)) this.note(row[over++]);
                if (over) this.rows[r] = row.slice(over);
            });
        }
        // All on which it depends what can come of it, but for the times of clean attempts.
        get future() {
            const isLimited = this.rules.stepWindow !== Infinity;
            return JSON.stringify([this.spoiltDepth, this.rows.map((row) => row.map((a) => isLimited ? [a.times[0], a.times.at(-1)] : a.times[0])),
                this.spoilt.map((one) => one && (isLimited ? one : one[0]))]);
        }
        merge(other) {
            if (other.best) this.note(other.best);
            this.rows.forEach((row, r) => row.forEach((attempt, i) => {
                if (isBetter(other.rows[r][i], attempt)) row[i] = other.rows[r][i];
            }));
        }
    }
    class OrderedWays {
        constructor() { this.all = new Map(); }
        insert(way) {
            const {future} = way, known = this.all.get(future);
            if (known) known.merge(way);
            else if (this.all.size < 128) this.all.set(future, way);
        }
    }

    // Where exclusions spoil, each order of a millisecond is followed with all its attempts.
    class SpoilingChains {
        constructor(d) {
            this.rules = new ChainRules(d);
            this.chain = new FunnelChain(this.rules.count);
        }
        follow(key, from, to, end, body) {
            const {rules, chain} = this;
            let ways = [new OrderedWay(rules)];
            for (let i = from; i < to && !ways.some((way) => way.best?.times.length === rules.count);) {
                const time = key.times[i];
                let next = i, exclusions = 0;
                for (; next < to && key.times[next] === time; next++) exclusions |= key.exclusions[next];
                if (exclusions) for (const way of ways) way.exclude(exclusions, time);
                ways = this.take(ways, key, i, next, time);
                i = next;
            }
            let result = null;
            for (const way of ways) {
                const isOpen = way.rows.some((row) => row.some((a) => rules.isOpen(a.times[0], a.times.at(-1), end)));
                for (const row of way.rows) for (const attempt of row) way.note(attempt);
                if (!way.best || way.best.times.length < way.spoiltDepth) continue;
                if (!result || isBetter(way.best, result.attempt)) result = {attempt: way.best, isOpen};
                else if (isOpen && !isBetter(result.attempt, way.best)) result.isOpen = true;
            }
            if (!result) return;
            chain.set(result.attempt.times.length, result.attempt.taken, result.attempt.times, rules.layout.previous);
            chain.isOpen = result.isOpen;
            body(chain);
        }
        take(ways, key, from, to, time) {
            const {rules} = this, kinds = [];
            for (let i = from; i < to; i++) {
                const own = rules.layout.narrowed(key.steps[i]);
                if (!own && !rules.isStrict) continue;
                const kind = kinds.find((one) => one.own === own);
                if (kind) kind.n = Math.min(kind.n + 1, rules.count + 1);
                else kinds.push({own, n: 1});
            }
            if (kinds.length < 2) {
                for (const kind of kinds) for (const way of ways) way.take(kind.own, kind.n, time);
                return ways;
            }
            for (const way of ways) way.expire(time);
            const choices = kinds.reduce((product, kind) => Math.min(product * (kind.n + 1), 1025), 1);
            if (choices > 1024) {
                const rising = [...kinds].sort((a, b) => a.own - b.own), next = new OrderedWays();
                for (const list of [rising, [...rising].reverse()]) {
                    for (const way of ways) {
                        const copy = way.clone();
                        for (const kind of list) copy.take(kind.own, kind.n, time);
                        next.insert(copy);
                    }
                }
                return [...next.all.values()];
            }
            // For each choice of events that have come the ways to it; its digits are how many there are of each kind.
            const reached = Array.from({length: choices}, () => new OrderedWays());
            ways.forEach((way, i) => reached[0].all.set(i, way));
            for (let choice = 0; choice < choices - 1; choice++) {
                let size = 1;
                for (const kind of kinds) {
                    if (Math.floor(choice / size) % (kind.n + 1) < kind.n) {
                        for (const way of reached[choice].all.values()) {
                            const copy = way.clone();
                            copy.take(kind.own, 1, time);
                            reached[choice + size].insert(copy);
                        }
                    }
                    size *= kind.n + 1;
                }
            }
            return [...reached[choices - 1].all.values()];
        }
    }

    // A bag of events, of each only which steps it fits, and how many steps can be shared out among them.
    class StepSets {
        constructor() { this.clear(); }
        clear() {
            this.kinds = new Map();
            this.overlapping = 0;
        }
        get union() {
            let bits = 0;
            for (const kind of this.kinds.keys()) bits |= kind;
            return bits;
        }
        change(own, by) {
            const n = (this.kinds.get(own) ?? 0) + by;
            if (n) this.kinds.set(own, n);
            else this.kinds.delete(own);
            if (own & own - 1) this.overlapping += by;
        }
        size() {
            const union = this.union;
            if (!this.overlapping) return count(union);
            const owners = new Map([...this.kinds.keys()].map((kind) => [kind, []]));
            const fill = (step, seen) => {
                for (const [kind, n] of this.kinds) {
                    if (seen.has(kind) || !(kind >> step & 1)) continue;
                    seen.add(kind);
                    const own = owners.get(kind);
                    if (own.length < n) return own.push(step);
                    for (let i = 0; i < own.length; i++) {
                        if (!fill(own[i], seen)) continue;
                        own[i] = step;
                        return true;
                    }
                }
                return false;
            };
            let size = 0;
            for (const step of steps(union)) if (fill(step, new Set())) size++;
            return size;
        }
    }

    // Counts how many distinct steps lie inside one window, in any order.
    class AnyOrderChains {
        constructor(d) {
            this.rules = new ChainRules(d);
            this.count = this.rules.count;
            this.chain = new FunnelChain(this.count);
            this.held = new StepSets();
            this.spoilt = new StepSets();
        }
        follow(key, from, to, end, body) {
            const {rules, chain, held} = this, {times} = key;
            chain.depth = this.spoiltDepth = 0;
            this.spoiltStart = null;
            held.clear();
            let head = from, index = from;
            while (index < to && chain.depth < this.count) {
                const time = times[index], moment = index;
                let exclusions = 0;
                for (; index < to && times[index] === time; index++) exclusions |= key.exclusions[index];
                if (time < rules.since) {
                    head = index;
                    continue;
                }
                for (; head < moment && time - times[head] > rules.window; head++) if (key.steps[head]) held.change(key.steps[head], -1);
                if (exclusions) {
                    this.exclude(exclusions, key, head, moment, time);
                    if (this.count > 1) {
                        held.clear();
                        head = moment;
                    }
                }
                while (head < moment && !key.steps[head]) head++;
                if ((head < moment ? times[head] : time) >= rules.until) break;
                for (let i = moment; i < index; i++) {
                    if (!key.steps[i]) continue;
                    this.takeSpoilt(key.steps[i], times[i]);
                    held.change(key.steps[i], 1);
                }
                if (count(held.union) > chain.depth && held.size() > chain.depth) this.keep(key, head, index);
            }
            if (chain.depth === 0 || chain.depth < this.spoiltDepth) return;
            chain.isOpen = false;
            for (let i = index - 1; chain.depth < this.count && i >= head; i--) {
                if (!key.steps[i] || !rules.mayStart(times[i])) continue;
                chain.isOpen = rules.isOpen(times[i], times[i], end);
                break;
            }
            body(chain);
        }
        keep(key, from, to) {
            const {chain} = this, bag = new StepSets();
            let found = 0, start = 0, before = 0;
            for (let i = from; i < to; i++) {
                if (!key.steps[i]) continue;
                bag.change(key.steps[i], 1);
                if (count(bag.union) <= found) continue;
                for (const size = bag.size(); found < size; found++) {
                    if (found === 0) start = key.times[i];
                    if (found >= chain.depth) {
                        chain.times[found] = key.times[i];
                        chain.sinceFirst[found] = key.times[i] - start;
                        chain.sincePrevious[found] = found === 0 ? 0 : key.times[i] - before;
                    }
                    before = key.times[i];
                }
            }
            chain.start = start;
            chain.depth = found;
            chain.taken = -1 >>> 32 - found;
        }
        exclude(exclusions, key, from, to, time) {
            const {rules, chain, spoilt} = this;
            if (rules.standing(exclusions, rules.spoiling)) {
                const size = this.held.size();
                if (size > 0) {
                    this.spoiltDepth = Math.max(this.spoiltDepth, size);
                    spoilt.clear();
                    for (let i = to - 1; i >= from; i--) {
                        if (!key.steps[i]) continue;
                        spoilt.change(key.steps[i], 1);
                        this.spoiltStart = key.times[i];
                        if (count(spoilt.union) >= size && spoilt.size() === size) break;
                    }
                }
                if (chain.depth > 0 && time - chain.start <= rules.window) {
                    this.spoiltDepth = Math.max(this.spoiltDepth, chain.depth);
                    chain.depth = 0;
                }
            }
            if (rules.standing(exclusions, rules.ending)) this.spoiltStart = null;
        }
        takeSpoilt(own, time) {
            if (this.spoiltStart === null) return;
            if (time - this.spoiltStart > this.rules.window) {
                this.spoiltStart = null;
                return;
            }
            const before = this.spoilt.size();
            if (before >= this.count) return;
            this.spoilt.change(own, 1);
            if (this.spoilt.size() > before) {
                this.spoiltDepth = Math.max(this.spoiltDepth, this.spoilt.size());
                this.spoiltStart = null;
            } else this.spoilt.change(own, -1);
        }
    }
    const engine = (d) => {
        if (d.order === "any") return new AnyOrderChains(d);
        if (d.exclusions.some((one) => one.spoils)) return new SpoilingChains(d);
        const isPlain = d.order === "ordered" && !d.exclusions.length && !(d.stepWindow !== null && d.stepWindow < d.window)
            && !d.steps.some((step) => step.optional);
        return isPlain ? new OrderedChains(d) : new GeneralChains(d);
    };

    // MARK: Counting

    const TIMEOUT = 1800000;
    // The first millisecond whose starts have time left; where sessions count and no more is asked than when the page ends, that of active ones.
    const matureUntil = (d, end, silence = Infinity) => {
        if (d.steps.length < 2 || end === null) return Infinity;
        return end - Math.min(d.stepWindow === null ? d.window : Math.min(d.window, d.stepWindow * (d.steps.length - 1)), silence) + 1;
    };
    // Which starts are followed of a key, and for what they count: of all 1, of mature ones 2.
    const startParts = (d, key, until, period) => {
        const parts = [], first = key.times[0], last = key.times[key.count - 1];
        const add = (since, end, start) => {
            const mature = Math.min(end, until);
            if (mature === end || last < until) return parts.push({since, until: end, start, counts: 3});
            parts.push({since, until: end, start, counts: 1});
            return mature > since && first < until && parts.push({since, until: mature, start, counts: 2});
        };
        const since = d.since ?? -Infinity, end = d.until ?? Infinity;
        add(since, end, null);
        if (!period) return parts;
        for (let i = 0, now = null; i < key.count; i++) {
            const time = key.times[i];
            if (!(d.order === "any" ? key.steps[i] : key.steps[i] & 1) || time < since || time >= end || now && time >= now[0] && time < now[1]) continue;
            now = period(time);
            add(Math.max(since, now[0]), Math.min(end, now[1]), now[0]);
        }
        return parts;
    };
    const indexOf = (times, count, time) => {
        let low = 0, high = count;
        while (low < high) {
            const middle = low + high >> 1;
            if (times[middle] < time) low = middle + 1;
            else high = middle;
        }
        return low;
    };

    // Durations in few numbers: percentiles interpolate between ranks.
    const distribution = (list) => {
        const n = list.count;
        if (!n) return null;
        let sum = 0, most = 0;
        for (let i = 0; i < n; i++) {
            sum += list.all[i];
            if (list.all[i] > most) most = list.all[i];
        }
        const mean = sum < 2 ** 53 ? sum / n
            : Number(list.all.subarray(0, n).reduce((total, value) => total + BigInt(value), 0n)) / n;
        const all = most < 2 ** 32 ? sorted32(list.all, n, most) : list.all.slice(0, n).sort();
        const at = (share) => {
            const rank = share * (n - 1), below = Math.floor(rank);
            return below + 1 < n ? all[below] + (all[below + 1] - all[below]) * (rank - below) : all[below];
        };
        return {n, mean, p50: at(0.5), p90: at(0.9), p99: at(0.99)};
    };
    const sorted32 = (source, n, most) => {
        let from = Uint32Array.from({length: 0}), to = new Uint32Array(n);
        from = new Uint32Array(n);
        for (let i = 0; i < n; i++) from[i] = source[i];
        if (n < 256) return from.sort();
        for (let shift = 0; shift < 32 && most >= 2 ** shift; shift += 11) {
            const starts = new Uint32Array(2049);
            for (let i = 0; i < n; i++) starts[(from[i] >>> shift & 2047) + 1]++;
            for (let i = 1; i < 2049; i++) starts[i] += starts[i - 1];
            for (let i = 0; i < n; i++) to[starts[from[i] >>> shift & 2047]++] = from[i];
            [from, to] = [to, from];
        }
        return from;
    };
    class Durations {
        constructor() {
            this.all = new Float64Array(64);
            this.count = 0;
        }
        push(value) {
            if (this.count === this.all.length) {
                const more = new Float64Array(2 * this.count);
                more.set(this.all);
                this.all = more;
            }
            this.all[this.count++] = value;
        }
    }

    // Adds up the chains that count.
    class FunnelTally {
        constructor(d) {
            this.d = d;
            this.counts = d.steps.map(() => 0);
            this.first = d.steps.map(() => new Durations());
            this.previous = d.steps.map(() => new Durations());
            this.open = 0;
        }
        add(chain) {
            for (let rest = chain.taken; rest; rest &= rest - 1) {
                const s = 31 - Math.clz32(rest & -rest);
                this.counts[s]++;
                if (s === 0) continue;
                this.first[s].push(chain.sinceFirst[s]);
                this.previous[s].push(chain.sincePrevious[s]);
            }
            if (chain.isOpen && chain.depth <= this.d.last) this.open++;
        }
        get entered() { return this.counts[0]; }
        get converted() { return this.counts[this.d.last]; }
        get steps() {
            const {d, counts} = this, share = (n, of) => of ? n / of : null;
            return d.steps.map((step, i) => {
                const before = counts[d.previous[i]];
                return {
                    index: i + 1, name: titleOf(step), filter: filterOf(step), optional: step.optional, count: counts[i],
                    of_first: share(counts[i], counts[0]), of_previous: share(counts[i], before), dropped: step.optional ? 0 : before - counts[i],
                    from_previous_ms: distribution(this.previous[i]), from_first_ms: distribution(this.first[i]),
                    of_first_ci95: interval(Math.min(counts[i], counts[0]), counts[0]),
                    of_previous_ci95: interval(Math.min(counts[i], before), before),
                };
            });
        }
    }
    const Z = 1.959963984540054;
    // Wilson's score interval.
    const interval = (k, n) => {
        if (!n) return null;
        const p = k / n, square = Z * Z, scale = 1 + square / n, centre = (p + square / (2 * n)) / scale;
        const half = Z * Math.sqrt(p * (1 - p) / n + square / (4 * n * n)) / scale;
        return [k === 0 ? 0 : Math.max(0, centre - half), k === n ? 1 : Math.min(1, centre + half)];
    };
    const shareJSON = (converted, entered) =>
        ({entered, converted, rate: entered ? converted / entered : null, rate_ci95: interval(converted, entered)});

    // The complementary error function, to 1e-15: a series near zero, a continued fraction beyond.
    const erfc = (x) => {
        if (x < 2) {
            let term = x, sum = x;
            for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum) && n < 200; n++) {
                term *= -x * x / n;
                sum += term / (2 * n + 1);
            }
            return 1 - 2 / Math.sqrt(Math.PI) * sum;
        }
        let f = 0;
        for (let n = 120; n > 0; n--) f = n / 2 / (x + f);
        return Math.exp(-x * x) / Math.sqrt(Math.PI) / (x + f);
    };
    // By how much a share differs from another, with Newcombe's interval.
    const difference = (k, n, other, m) => {
        if (!n || !m) return null;
        const a = k / n, b = other / m, ofA = interval(k, n), ofB = interval(other, m);
        return {value: a - b, ci95: [a - b - Math.hypot(a - ofA[0], ofB[1] - b), a - b + Math.hypot(ofA[1] - a, b - ofB[0])]};
    };
    const qValues = (all) => {
        const asked = all.map((p, i) => [p, i]).filter(([p]) => p !== null).sort((a, b) => a[0] - b[0]), q = all.map(() => null);
        let least = 1;
        for (let rank = asked.length; rank > 0; rank--) q[asked[rank - 1][1]] = least = Math.min(least, asked[rank - 1][0] * asked.length / rank);
        return q;
    };

    const NONE = "(none)", OTHER = "(other)";
    // The values of a breakdown: the code of each event, and the text of each code.
    class Breakdown {
        constructor(data, one) {
            this.one = one;
            const property = data.property(one.source, one.path);
            this.property = property;
            this.texts = [NONE, ...(property?.values ?? [])];
            this.folded = this.texts.length;
            // Everything folded is one group; an empty text is no value.
            const codes = property && one.source === "event" ? data.codes(property) : null, empty = this.texts.indexOf("", 1);
            this.value = !property ? () => 0 : (event) => {
                const code = codes ? codes[event] : data.context(property, event);
                return code === empty ? 0 : code;
            };
        }
        text(code) { return code >= this.folded ? OTHER : this.texts[code]; }
        before(a, b) {
            if (a >= this.folded || b >= this.folded) {
                throw new Refused(`--breakdown ${this.one.text}`,
                    "somebody has two values in one millisecond, one of them in (other), and which comes first is not in the page");
            }
            return order(this.texts[a], this.texts[b]) < 0;
        }
    }
    // Calls body with the events of a key, or, where a value is part of the key, with those of each value.
    const forEachValue = (breakdown, key, run, body) => {
        if (breakdown?.one.attribution !== "all") return body(key);
        const divided = new Map();
        for (let i = 0; i < key.count; i++) {
            if (key.values[i] >= breakdown.folded) {
                throw new Refused(`--breakdown ${breakdown.one.text}`, "a value that few users have is not in the page: take :first or :last");
            }
            if (!divided.has(key.values[i])) divided.set(key.values[i], []);
            divided.get(key.values[i]).push(i);
        }
        for (const list of divided.values()) {
            run.count = 0;
            for (const i of list) run.push(key, i, key.steps[i]);
            body(run);
        }
        return undefined;
    };
    // Follows one key's events where a breakdown divides them.
    class GroupFold {
        constructor(d, chains, breakdown) { Object.assign(this, {d, chains, breakdown}); }
        follow(key, until, period, end, body) {
            const {d, chains} = this;
            for (const part of startParts(d, key, until, period)) {
                const from = part.since === -Infinity ? 0 : indexOf(key.times, key.count, part.since);
                const to = part.until === Infinity ? key.count : Math.max(from, indexOf(key.times, key.count, part.until + d.window));
                [chains.rules.since, chains.rules.until] = [part.since, part.until];
                this.chain(key, from, to, part, end, body);
            }
        }
        chain(key, from, to, part, end, body) {
            this.chains.follow(key, from, to, end, (chain) => body(chain, this.breakdown ? this.group(chain, key) : 0, part));
        }
        // The code of the value that a chain counts under.
        group(chain, key) {
            const {attribution} = this.breakdown.one;
            if (attribution === "all") return key.values[0];
            if (attribution === "first") return this.least(key, 0, key.count, 1, -1);
            if (attribution === "last") return this.least(key, key.count - 1, -1, -1, -1);
            if (!(chain.taken >> attribution - 1 & 1)) return 0;
            const time = chain.times[attribution - 1], from = indexOf(key.times, key.count, time);
            let to = from;
            while (to < key.count && key.times[to] === time) to++;
            return this.least(key, from, to, 1, this.d.order === "any" ? -1 : bit(attribution - 1));
        }
        // The first value, of several in one millisecond the one that sorts first.
        least(key, from, to, by, mask) {
            let found = 0, time = 0;
            for (let i = from; i !== to; i += by) {
                if (found && key.times[i] !== time) break;
                const code = key.values[i];
                if (!code || !(key.steps[i] & mask)) continue;
                if (!found || code !== found && this.breakdown.before(code, found)) [found, time] = [code, key.times[i]];
            }
            return found;
        }
    }

    // Follows one key's visits: the starts of one session, or starts without one that follow each other soon. A visit belongs to the time of its
    // first start, and its chain is the best of its starts.
    class VisitFold {
        constructor(data, d, chains, breakdown) {
            const n = d.steps.length;
            Object.assign(this, {data, d, chains, breakdown, n, run: new KeyEvents(), chain: new FunnelChain(n), own: new Float64Array(n)});
            this.isPlain = chains instanceof OrderedChains;
        }
        follow(number, key, end, body) {
            this.divide(number, key);
            if (!this.visits.length) return;
            if (this.breakdown && this.breakdown.one.attribution !== "all") this.group(key);
            if (this.isPlain && this.isSimple(key)) {
                this.walk(key);
                const {d, chain, n} = this;
                for (const visit of this.visits) {
                    const {depth} = visit;
                    chain.set(depth, -1 >>> 32 - depth, visit.times, this.chains.rules.layout.previous);
                    chain.isOpen = depth < n && end >= visit.last && end - visit.last < d.window;
                    this.emit(visit, chain, key, body);
                }
                return;
            }
            [this.chains.rules.since, this.chains.rules.until] = [-Infinity, Infinity];
            for (let v = 0, i = 0, start = 0; v < this.visits.length; v++) {
                for (; key.times[i] < this.visits[v].first; i++) start += key.steps[i] & 1;
                this.take(v, key, i, start);
                this.chains.follow(this.run, 0, this.run.count, end, (chain) => this.emit(this.visits[v], chain, key, body));
            }
        }
        emit(visit, chain, key, body) {
            const step = this.breakdown?.one.attribution;
            if (step > 0) {
                const found = {group: 0};
                if (chain.taken >> step - 1 & 1) {
                    const time = chain.times[step - 1];
                    for (let i = indexOf(key.times, key.count, time); i < key.count && key.times[i] === time; i++) {
                        if (key.steps[i] >> step - 1 & 1) this.note(key, i, found);
                    }
                }
                visit.group = found.group;
            }
            body(chain, visit);
        }
        divide(number, key) {
            const {data, d} = this, known = new Map(), bySession = d.by === "session";
            Object.assign(this, {visits: [], visitOfStart: [], loose: [], known});
            for (let i = 0; i < key.count; i++) {
                if (!(key.steps[i] & 1)) continue;
                const session = bySession ? number : data.sessions[key.index[i]], time = key.times[i];
                let v = known.get(session);
                if (v === undefined || session === 0 && time - this.visits[v].last >= TIMEOUT) {
                    v = this.visits.push({first: time, last: time, user: 0, group: 0, isKnown: false, groupTime: 0, depth: 0, times: null}) - 1;
                    known.set(session, v);
                    if (session === 0) this.loose.push(v);
                }
                this.visits[v].last = time;
                this.visits[v].user ||= bySession ? data.userOf(key.index[i]) : number;
                this.visitOfStart.push(v);
            }
            // A session of nobody is somebody of its own.
            for (const visit of this.visits) visit.user ||= -number;
        }
        // The first value of each visit, or the last, among its own events from its first start on.
        group(key) {
            const {visits, loose, known, breakdown: {one: {attribution}}} = this;
            for (let i = 0, l = -1; i < key.count; i++) {
                const time = key.times[i], session = this.data.sessions[key.index[i]];
                let v = 0;
                if (this.d.by !== "session") {
                    while (l + 1 < loose.length && visits[loose[l + 1]].first <= time) l++;
                    v = session ? known.get(session) : loose[l];
                }
                const visit = visits[v];
                if (!visit || !key.steps[i] || !key.values[i] || time < visit.first) continue;
                if (this.d.by !== "session" && !session && time - visit.last >= TIMEOUT) continue;
                if (time === visit.first && key.steps[i] & 1) visit.isKnown = true;
                if (attribution === "last" && time > visit.groupTime) visit.group = 0;
                this.note(key, i, visit);
            }
        }
        // Takes an event's value if there is none yet, or one of the same millisecond that sorts behind it.
        note(key, i, visit) {
            const code = key.values[i];
            if (!code || visit.group && (key.times[i] !== visit.groupTime || code === visit.group || !this.breakdown.before(code, visit.group))) return;
            [visit.group, visit.groupTime] = [code, key.times[i]];
        }
        isSimple(key) {
            for (let i = 0; i < key.count; i++) {
                if (key.steps[i] & key.steps[i] - 1 || i > 0 && key.times[i - 1] === key.times[i]) return false;
            }
            return true;
        }
        // Follows all starts at once: what the next event of each step is only moves on.
        walk(key) {
            const {n, own, d, visits} = this, next = new Uint32Array(n);
            for (let i = 0, start = 0; i < key.count; i++) {
                if (!(key.steps[i] & 1)) continue;
                const visit = visits[this.visitOfStart[start++]];
                own[0] = key.times[i];
                let depth = 1;
                for (; depth < n; depth++) {
                    let at = next[depth];
                    while (at < key.count && (!(key.steps[at] >> depth & 1) || key.times[at] <= own[depth - 1])) at++;
                    next[depth] = at;
                    if (at === key.count || key.times[at] - own[0] > d.window) break;
                    own[depth] = key.times[at];
                }
                if (depth < visit.depth || depth === visit.depth && own[depth - 1] > visit.times[depth - 1]) continue;
                visit.depth = depth;
                visit.times = own.slice(0, depth);
            }
        }
        // The events that a visit's starts can reach, with no other starts among them.
        take(v, key, from, start) {
            const {run, d} = this, {last} = this.visits[v];
            run.count = 0;
            for (let i = from; i < key.count && key.times[i] - last <= d.window; i++) {
                let own = key.steps[i];
                if (own & 1 && this.visitOfStart[start++] !== v) own &= ~1;
                if (own || key.exclusions[i] || d.order === "strict") run.push(key, i, own);
            }
        }
    }

    // A pass over a funnel's keys; body gets each chain that counts, its key, its group and its part.
    const forEachChain = (data, d, period, body) => {
        const breakdown = d.breakdown && new Breakdown(data, d.breakdown), end = data.end(d.window), until = matureUntil(d, end);
        const chains = engine(d), fold = new (d.count === "visits" ? VisitFold : GroupFold)(...d.count === "visits" ? [data] : [], d, chains, breakdown);
        const run = new KeyEvents(), isSilent = (key) => d.by === "session" && end !== null && data.lasts[key] <= end - TIMEOUT;
        const {since, until: before} = {since: d.since ?? -Infinity, until: d.until ?? Infinity};
        forEachKey(data, d, breakdown?.value, (number, key) => forEachValue(breakdown, key, run, (events) => {
            if (d.count !== "visits") {
                const own = until !== Infinity && isSilent(number) ? Infinity : until;
                return fold.follow(events, own, period, end ?? 0, (chain, group, part) => body(chain, number, group, part));
            }
            return fold.follow(number, events, end ?? 0, (chain, visit) => {
                if (visit.first < since || visit.first >= before) return;
                const group = d.breakdown?.attribution === "all" ? events.values[0] : visit.group;
                const counts = visit.last < until || isSilent(number) ? 3 : 1;
                body(chain, number, group, {start: null, counts, visit});
                if (period) body(chain, number, group, {start: period(visit.first)[0], counts, visit});
            });
        }));
        return {breakdown, end, until: matureUntil(d, end, d.by === "session" ? TIMEOUT : Infinity)};
    };
    const shownNames = (breakdown, sizes, top) => {
        const shown = new Map([...sizes.keys()].map((code) => [code, breakdown.text(code)]));
        const ranked = [...sizes.keys()].filter((code) => shown.get(code) !== NONE && shown.get(code) !== OTHER)
            .sort((a, b) => sizes.get(b) - sizes.get(a) || order(shown.get(a), shown.get(b)));
        for (const code of ranked.slice(top)) shown.set(code, OTHER);
        return shown;
    };
    // The funnel of some starts: what is shown, its groups, how many starts there are of all and of mature ones, and the visits of claims.
    class StartTally {
        constructor(d, isClaimed) {
            Object.assign(this, {d, shown: new FunnelTally(d), log: [], all: [0, 0], mature: [0, 0]});
            this.visits = isClaimed && d.count === "visits" ? new Durations() : null;
        }
        add(chain, group, {counts, visit}) {
            const {d} = this, converted = chain.taken >> d.last & 1;
            if (counts & 1) [this.all[0], this.all[1]] = [this.all[0] + 1, this.all[1] + converted];
            if (counts & 2) [this.mature[0], this.mature[1]] = [this.mature[0] + 1, this.mature[1] + converted];
            if (!(counts & (d.mature ? 2 : 1))) return;
            this.shown.add(chain);
            if (this.visits) for (const value of [visit.user, visit.first, group, converted, group && visit.isKnown ? 1 : 0]) this.visits.push(value);
            if (!d.breakdown) return;
            const {depth, taken, isOpen} = chain;
            this.log.push({depth, taken, isOpen, group, sinceFirst: chain.sinceFirst.slice(0, depth), sincePrevious: chain.sincePrevious.slice(0, depth)});
        }
        groups(breakdown) {
            const sizes = new Map(), tallies = new Map();
            for (const chain of this.log) sizes.set(chain.group, (sizes.get(chain.group) ?? 0) + 1);
            const names = shownNames(breakdown, sizes, this.d.breakdown.top);
            for (const chain of this.log) {
                const name = names.get(chain.group);
                if (!tallies.has(name)) tallies.set(name, new FunnelTally(this.d));
                tallies.get(name).add(chain);
            }
            const groups = [...tallies].sort((a, b) => b[1].entered - a[1].entered || order(a[0], b[0]));
            // For each value the index of its group.
            const indices = new Map(groups.map(([name], i) => [name, i]));
            this.indexOf = new Map([...names].map(([code, name]) => [code, indices.get(name)]));
            return groups;
        }
    }

    // MARK: Claims

    const LEAST_VISITS = 30, LEAST_USERS = 20, LEAST_DIFFERENCE = 0.005, SEEN = 2.8, SIGNIFICANCE = 0.05, KNOWN = 0.95, RELEASE = 0.1;
    const makeClaim = (fields) => ({kind: "none", difference: null, ci95: null, p: null, q: null, unit: "visits", adjusted: [], refused: null,
        detectable: null, visits: 0, ...fields});
    const holds = (claim) => ["fell", "rose", "less", "more"].includes(claim?.kind);
    // Lets a claim hold if all guards do, and gives it its word.
    const conclude = (claim, probability, crude, [less, more]) => {
        claim.kind = "none";
        if (claim.refused || claim.difference === null || probability === null || probability > SIGNIFICANCE
            || Math.abs(claim.difference) < LEAST_DIFFERENCE || !(claim.ci95[0] > 0 || claim.ci95[1] < 0)) return;
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
        if (claim.refused) {
            const reason = {
                few_days: "too few days to tell a change from how days differ",
                no_overlap: "it shares no day with the others; `looptrail trend --mark DAY=NAME` compares before and after",
                opposed: `with ${claim.adjusted.map((one) => HELD[one]).join(" and ")} held equal the difference has the other sign`,
                few_visits: `it takes 30 ${claim.unit} of 20 users on either side`,
                unit: trend ? "it takes visits: --count visits" : "it takes visits that have their group when they begin",
            }[claim.refused];
            return `Nothing is concluded: ${reason}.`;
        }
        if (!holds(claim)) {
            const seen = claim.detectable === null ? "" : `; one of ${tenths(Math.abs(claim.detectable))} points would be seen 8 times in 10`;
            return `${claim.kind === "steady" ? "Steady: no change" : "No difference"} that these ${claim.unit} could show${seen}.`;
        }
        const {difference, ci95: [low, high]} = claim, bounds = difference < 0 ? [-high, -low] : [low, high];
        const size = `${tenths(Math.abs(difference))} points`, share = trend && Math.abs(trend.relative), part = Math.round(share * 1000);
        const words = !trend ? `converts ${size} ${claim.kind} than the rest` : `Conversion ${claim.kind} on ${trend.at} by ${size} (${
            share > 0 && part === 0 ? "<0.1" : `${Math.floor(part / 10)}.${part % 10}`}%)`;
        const held = [...claim.adjusted].reverse().map((one) => `, same ${HELD[one]}`).join("");
        return `${words}${held}, 95% ${tenths(bounds[0])} to ${tenths(bounds[1])} (${claim.unit}).`;
    };
    const claimJSON = (claim, trend, name) => ({
        holds: holds(claim), kind: claim.kind, difference: claim.difference, ci95: claim.ci95, p_value: claim.p, q_value: claim.q,
        unit: claim.unit, adjusted_for: claim.adjusted, refused: claim.refused, detectable: claim.detectable,
        sentence: (holds(claim) && name !== undefined ? `${name} ` : "") + claimWords(claim, trend),
    });

    // Takes the mean of each stratum away; of several kinds of strata in turn until nothing changes.
    const centre = (values, weights, strata) => {
        for (let round = 0; round < 200; round++) {
            let change = 0;
            for (const {of, count: size} of strata) {
                const sums = new Float64Array(size), totals = new Float64Array(size);
                for (let i = 0; i < values.length; i++) {
                    sums[of[i]] += weights[i] * values[i];
                    totals[of[i]] += weights[i];
                }
                for (let i = 0; i < size; i++) {
                    if (totals[i]) sums[i] /= totals[i];
                    if (totals[i] && Math.abs(sums[i]) > change) change = Math.abs(sums[i]);
                }
                for (let i = 0; i < values.length; i++) values[i] -= sums[of[i]];
            }
            if (strata.length === 1 || change < 1e-9) return;
        }
    };
    // The visits of a breakdown, to be divided in many ways.
    class Question {
        constructor(data, tally, groups) {
            const all = tally.visits.all, n = tally.visits.count / 5, none = groups.findIndex(([name]) => name === NONE), calendar = new Calendar(data, "day");
            Object.assign(this, {user: [], day: [], group: [], converted: [], userCount: data.head.users + data.head.sessions + 1});
            let known = 0, today = [0, 0, 0];
            const days = new Set();
            for (let i = 0; i < 5 * n; i += 5) {
                const [user, first, group] = [all[i], all[i + 1], tally.indexOf.get(all[i + 2])];
                if (first < today[0] || first >= today[1]) today = [...calendar.period(first), calendar.day(first)];
                known += all[i + 4];
                days.add(today[2]);
                if (group === none) continue;
                this.user.push(user > 0 ? user : data.head.users - user);
                this.day.push(today[2]);
                this.group.push(group);
                this.converted.push(all[i + 3]);
            }
            const ranks = new Map([...days].sort((a, b) => a - b).map((day, rank) => [day, rank]));
            this.day = this.day.map((day) => ranks.get(day));
            this.dayCount = days.size;
            this.values = groups.flatMap(([name], i) => name === NONE || name === OTHER ? [] : [i]);
            this.asked = this.values;
            this.refusal = tally.d.breakdown.attribution === "first" && known * 20 >= n * 19 ? null : "unit";
        }
        // Whether a group came or went between the first and the last third of the days.
        isRelease(group) {
            const third = Math.max(Math.floor(this.dayCount / 3), 1), own = [0, 0], all = [0, 0];
            this.day.forEach((day, i) => {
                if (day >= third && day < this.dayCount - third) return;
                const side = day < third ? 0 : 1;
                all[side]++;
                if (this.group[i] === group) own[side]++;
            });
            return all[0] > 0 && all[1] > 0 && Math.abs(own[1] / all[1] - own[0] / all[0]) >= RELEASE - 1e-12;
        }
        // By how much a group converts more than all others but some, with days, or users and days, held equal.
        difference(group, left = []) {
            const n = this.user.length, x = new Float64Array(n), y = Float64Array.from(this.converted), weights = new Uint8Array(n);
            const sides = [0, 1].map(() => ({visits: 0, converted: 0, users: new Set()}));
            for (let i = 0; i < n; i++) {
                if (left.includes(this.group[i])) continue;
                const side = sides[x[i] = this.group[i] === group ? 1 : 0];
                weights[i] = 1;
                side.visits++;
                side.converted += y[i];
                side.users.add(this.user[i]);
            }
            if (!sides[0].visits || !sides[1].visits) return null;
            const strata = [{of: this.day, count: this.dayCount}];
            if (this.isRelease(group)) strata.push({of: this.user, count: this.userCount});
            centre(x, weights, strata);
            centre(y, weights, strata);
            let square = 0, product = 0;
            for (let i = 0; i < n; i++) [square, product] = [square + weights[i] * x[i] * x[i], product + weights[i] * x[i] * y[i]];
            // What is left of an indicator that the strata explain is rounding.
            if (!(square > 1e-6)) return null;
            const value = product / square, sums = new Float64Array(this.userCount);
            for (let i = 0; i < n; i++) sums[this.user[i]] += weights[i] * x[i] * (y[i] - value * x[i]);
            const error = Math.sqrt(sums.reduce((sum, one) => sum + one * one, 0)) / square;
            return {
                value, error, crude: sides[1].converted / sides[1].visits - sides[0].converted / sides[0].visits, visits: sides[1].visits,
                p: value === 0 ? 1 : erfc(Math.abs(value / error) / Math.SQRT2), ci95: [value - Z * error, value + Z * error],
                isLarge: sides.every((side) => side.visits >= LEAST_VISITS && side.users.size >= LEAST_USERS),
            };
        }
    }
    // For each question, of a breakdown each, a claim for each of its groups. Of all groups of all questions one claim in twenty is false.
    const groupClaims = (questions) => {
        const asked = [];
        const claims = questions.map((question) => {
            const all = [], crude = [];
            for (const group of question.values) {
                const one = question.difference(group), refused = question.refusal;
                crude[group] = one?.crude;
                all[group] = !one ? makeClaim({refused: refused ?? "no_overlap"}) : makeClaim({
                    difference: one.value, ci95: one.ci95, p: one.p, adjusted: question.isRelease(group) ? ["user", "day"] : ["day"],
                    detectable: SEEN * one.error, visits: one.visits, refused: refused ?? (one.isLarge ? null : "few_visits"),
                });
            }
            // Two that are all there is differ by the same: it is said of the one that converts less.
            const [first, second] = question.values, size = all[first]?.difference ?? null;
            if (question.values.length === 2 && new Set(question.group).size === 2 && size !== null) question.asked = [size <= 0 ? first : second];
            for (const group of question.asked) if (!all[group].refused) asked.push([all[group], crude[group]]);
            return all;
        });
        qValues(asked.map(([claim]) => claim.p)).forEach((q, i) => {
            asked[i][0].q = q;
            conclude(asked[i][0], q, asked[i][1], ["less", "more"]);
        });
        // A claim stands if it holds without the surer ones, too: one bad group must not make the healthy ones look remarkable.
        questions.forEach((question, i) => {
            const found = [];
            for (const group of ranked(claims[i])) {
                if (found.length) {
                    const left = question.asked.filter((one) => !found.includes(one)), again = left.map((one) => question.difference(one, found));
                    const q = qValues(again.map((one) => one?.isLarge ? one.p : null)), at = left.indexOf(group);
                    if (q[at] === null || q[at] > SIGNIFICANCE || again[at].value * claims[i][group].difference <= 0) {
                        claims[i][group].kind = "none";
                        continue;
                    }
                }
                found.push(group);
            }
        });
        return claims;
    };
    // The indices of the claims that hold, the surest first.
    const ranked = (claims) => [...claims.keys()].filter((i) => holds(claims[i])).sort((a, b) => claims[a].q - claims[b].q
        || claims[a].p - claims[b].p || Math.abs(claims[b].difference) * claims[b].visits - Math.abs(claims[a].difference) * claims[a].visits);
    // What is said of each group: of a share's difference from all others, and what a claim makes of it.
    const claimsOf = (data, tally, groups) => {
        const values = groups.filter(([name]) => name !== NONE);
        if (values.length < 2) return groups.map(() => null);
        if (!tally.visits) return groups.map(([name]) => name === NONE || name === OTHER ? null : makeClaim({refused: "unit", unit: "users"}));
        const [claims] = groupClaims([new Question(data, tally, groups)]);
        return groups.map((_, i) => claims[i] ?? null);
    };
    // The visits of a funnel by the values of a path; null where nothing can be claimed of them.
    const questionOf = (data, asked, path) => {
        try {
            return answer(data, new Map([...asked, ["breakdown", path]]), (_, d) => {
                if (d.count !== "visits") return null;
                const tally = new StartTally(d, true), {breakdown} = forEachChain(data, d, null, (chain, key, group, part) => tally.add(chain, group, part));
                const groups = tally.groups(breakdown);
                return groups.filter(([name]) => name !== NONE).length < 2 ? null
                    : Object.assign(new Question(data, tally, groups), {path, names: groups.map(([name]) => name)});
            });
        } catch (error) {
            if (error instanceof Refused) return null;
            throw error;
        }
    };
    // The surest sentences about the values of all paths that were looked at.
    const findings = (questions) => {
        const all = groupClaims(questions).flatMap((claims, i) => claims.map((claim, group) => ({claim, path: questions[i].path, name: questions[i].names[group]})))
            .filter((one) => one);
        return ranked(all.map(({claim}) => claim)).map((i) => ({path: all[i].path, sentence: claimJSON(all[i].claim, null, all[i].name).sentence}));
    };
    const versusRest = (groups, claims) => groups.map((group, i) => {
        const rest = groups.filter((other) => other !== group && other[0] !== NONE), isAsked = group[0] !== NONE && group[0] !== OTHER;
        if (!isAsked || !rest.length) return null;
        const sum = rest.reduce((s, [, t]) => [s[0] + t.converted, s[1] + t.entered], [0, 0]), one = difference(group[1].converted, group[1].entered, ...sum);
        return {difference: one?.value ?? null, ci95: one?.ci95 ?? null, p_value: claims[i]?.p ?? null, q_value: claims[i]?.q ?? null};
    });
    const definitionJSON = (data, d) => ({
        steps: d.steps.map((step) => ({name: titleOf(step), filter: filterOf(step), optional: step.optional})),
        window_ms: d.window, step_window_ms: d.stepWindow, order: d.order, by: d.by, ties: "any", count: d.count, dedupe: "id", hold: null,
        exclusions: d.exclusions.map((one) => ({
            name: titleOf(one), filter: filterOf(one), from_step: one.range?.[0] ?? 1, to_step: one.range?.[1] ?? d.steps.length, spoils: one.spoils,
        })),
        since_ms: d.since, until_ms: d.until, compat: null, mature: d.mature,
        ...d.breakdown && {breakdown: d.breakdown.text, top: d.breakdown.top}, ...!data.head.identify && {identify: false},
    });
    const funnel = (data, d) => {
        const tally = new StartTally(d, d.breakdown);
        const {breakdown, until} = forEachChain(data, d, null, (chain, key, group, part) => tally.add(chain, group, part));
        const {shown} = tally, groups = breakdown ? tally.groups(breakdown) : [], claims = claimsOf(data, tally, groups), versus = versusRest(groups, claims);
        const last = shown.steps[d.last], before = Math.min(d.until ?? Infinity, until);
        return {
            schema: 1, definition: definitionJSON(data, d), steps: shown.steps.map(({filter, optional, ...step}) => step),
            overall: {...shareJSON(shown.converted, shown.entered), time_ms: last.from_first_ms},
            groups: groups.map(([value, own], i) => ({
                value, steps: own.steps.map(({filter, optional, ...step}) => step), overall: shareJSON(own.converted, own.entered),
                versus_rest: versus[i], claim: claims[i] && claimJSON(claims[i], null, value),
            })),
            window_open: shown.open,
            mature: tally.mature[0] === 0 ? null : {
                until_ms: before === Infinity ? null : before, ...shareJSON(tally.mature[1], tally.mature[0]), left_out: tally.all[0] - tally.mature[0],
            },
        };
    };

    // MARK: Calendar

    const civil = (days) => new Date(days * DAY);
    // The periods of a calendar, by the days of the page.
    class Calendar {
        constructor(data, every) {
            this.data = data;
            this.every = every;
            this.days = data.head.day_starts;
            if (every === "hour" && this.days.some((start, i) => i && (start - this.days[i - 1]) % 3600000)) {
                throw new Refused("--every hour", `in ${data.head.tz} some hours are not whole, and the page knows days only`);
            }
        }
        day(time) {
            const index = indexOf(this.days, this.days.length, time + 1) - 1;
            if (index < 0 || index + 1 >= this.days.length) {
                throw new Refused("a period", "an event lies outside the days of this page");
            }
            return index;
        }
        date(index) { return this.data.head.first_day + index; }
        // The index of the first day of the unit that a day lies in.
        first(index) {
            const date = this.date(index);
            if (this.every === "week") return index - ((date + 3) % 7 + 7) % 7;
            return this.every === "month" ? index - civil(date).getUTCDate() + 1 : index;
        }
        start(time) {
            if (this.every !== "hour") return this.days[this.first(this.day(time))];
            const day = this.days[this.day(time)];
            return time - (time - day) % 3600000;
        }
        next(start) {
            if (this.every === "hour") return start + 3600000;
            const index = indexOf(this.days, this.days.length, start), month = civil(this.date(index));
            const length = this.every === "day" ? 1 : this.every === "week" ? 7
                : Math.round((Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1) - Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1)) / DAY);
            return this.days[index + length] ?? Infinity;
        }
        period(time) {
            const start = this.start(time);
            return [start, Math.max(this.next(start), time + 1)];
        }
        label(start) {
            if (this.every === "hour") {
                const index = this.day(start), minutes = Math.round((start - this.days[index]) / 60000);
                return `${civil(this.date(index)).toISOString().slice(0, 10)} ${String(Math.floor(minutes / 60)).padStart(2, "0")}:00`;
            }
            const text = civil(this.date(indexOf(this.days, this.days.length, start))).toISOString();
            return this.every === "month" ? text.slice(0, 7) : text.slice(0, 10);
        }
        // From one start to another, those between them too; none between if they were too many.
        *filled(starts) {
            for (let i = 0; i < starts.length; i++) {
                yield starts[i];
                const gap = [];
                for (let at = this.next(starts[i]); i + 1 < starts.length && at < starts[i + 1] && gap.length < 10000; at = this.next(at)) gap.push(at);
                if (gap.length < 10000) yield* gap;
            }
        }
    }
    // How much of a time the data cover.
    const coverage = (data, calendar, [start, end]) => {
        const {days, holes, silence_ms: limit} = data.head, first = days[0][1], last = days.at(-1)[2];
        const clamped = ([from, to], [low, high]) => [Math.min(Math.max(from, low), high), Math.min(Math.max(to, low), high)];
        const inside = [[start, Math.max(start, Math.min(first, end))], ...holes.map((hole) => clamped(hole, [start, end])),
            [Math.min(Math.max(last, start), end), end]].filter(([from, to]) => from < to);
        const length = (list, within) => list.map((hole) => clamped(hole, within)).reduce((sum, [from, to]) => sum + to - from, 0);
        let touched = 0, whole = 0;
        for (let time = start; time < end && touched < 10000; touched++) {
            const day = calendar.period(time);
            if (day[0] >= start && day[1] <= end && length(inside, day) <= limit) whole++;
            time = day[1];
        }
        return {
            json: {since_ms: start, until_ms: end, covered_ms: end - start - Math.min(length(inside, [start, end]), end - start), holes: inside, whole_days: whole},
            isWhole: touched > 0 && whole === touched,
        };
    };

    // Student's two-sided p; of degrees only whole ones are asked.
    const studentP = (t, degrees) => {
        const part = (x, rest, a, b) => {
            if (x <= 0) return 0;
            if (rest <= 0) return 1;
            if (x > (a + 1) / (a + b + 2)) return 1 - part(rest, x, b, a);
            // Γ(a + ½) / (Γ(a) √π), in steps from the first of its kind.
            let front = degrees % 2 ? 1 / Math.PI : 0.5, c = 1, d = 0, value = 1;
            for (let k = degrees % 2 ? 1 : 2; k < degrees; k += 2) front *= (k + 1) / k;
            for (let term = 1; term < 10000; term++) {
                const m = term >> 1, k = a + 2 * m, own = term % 2 ? -(a + m) * (a + b + m) * x / (k * (k + 1)) : m * (b - m) * x / ((k - 1) * k);
                d = 1 / (1 + own * d || 1e-300);
                c = 1 + own / c || 1e-300;
                value *= c * d;
                if (Math.abs(c * d - 1) < 1e-16) break;
            }
            return Math.min(1, front * Math.exp(a * Math.log(x) + b * Math.log(rest)) / a / value);
        };
        return part(degrees / (degrees + t * t), t * t / (degrees + t * t), degrees / 2, 0.5);
    };
    const studentReach = (degrees) => {
        let low = 0, high = 2;
        while (studentP(high, degrees) > 0.05) high *= 2;
        for (let i = 0; i < 60; i++) {
            const middle = (low + high) / 2;
            if (studentP(middle, degrees) > 0.05) low = middle;
            else high = middle;
        }
        return high;
    };
    // The days of a trend as logits, with how much each weighs and which weekday it is.
    class DailyTrend {
        constructor(days) { this.days = days; }
        static of(points) {
            const whole = points.filter((point) => point.complete && point.isWhole && point.entered > 0);
            return new DailyTrend(whole.map(({start_ms: start, entered, converted}) => {
                const share = (converted + 0.5) / (entered + 1);
                return {
                    start, entered, converted, weekday: Math.round((start - whole[0].start_ms) / DAY) % 7, logit: Math.log(share / (1 - share)),
                    weight: entered * share * (1 - share),
                };
            }));
        }
        // The step at a day, with weekdays held equal; null where too few days are left to see how they differ.
        step(at) {
            const {days} = this, sums = Array.from({length: 7}, () => ({weight: 0, after: 0, logit: 0}));
            days.forEach((day, i) => {
                const sum = sums[day.weekday];
                sum.weight += day.weight;
                sum.logit += day.weight * day.logit;
                if (i >= at) sum.after += day.weight;
            });
            const degrees = days.length - sums.filter((sum) => sum.weight > 0).length - 1;
            if (degrees <= 0) return null;
            const centred = days.map((day, i) => {
                const sum = sums[day.weekday];
                return [day.weight, (i >= at ? 1 : 0) - sum.after / sum.weight, day.logit - sum.logit / sum.weight];
            });
            const total = (body) => centred.reduce((sum, one) => sum + body(...one), 0), square = total((w, x) => w * x * x);
            if (!(square > 1e-9)) return null;
            const size = total((w, x, y) => w * x * y) / square, residual = total((w, x, y) => w * (y - size * x) ** 2);
            const error = Math.sqrt(Math.max(1, residual / degrees) / square);
            const base = days.map(({weekday}) => (sums[weekday].logit - size * sums[weekday].after) / sums[weekday].weight);
            return {at, size, error, degrees, base, p: studentP(size / error, degrees)};
        }
        // The share that the visits from a step's day on have with a step of some size.
        share(size, {at, base}) {
            const after = this.days.slice(at), visits = after.reduce((sum, day) => sum + day.entered, 0);
            return after.reduce((sum, day, i) => sum + day.entered / visits / (1 + Math.exp(-base[at + i] - size)), 0);
        }
        // looks: how many steps were looked at.
        claim(step, looks, users) {
            const {days} = this, none = this.share(0, step), reach = studentReach(step.degrees) * step.error, points = (size) => this.share(size, step) - none;
            const sides = [days.slice(0, step.at), days.slice(step.at)];
            const sums = sides.map((side) => side.reduce((sum, day) => [sum[0] + day.entered, sum[1] + day.converted], [0, 0]));
            const claim = makeClaim({
                difference: points(step.size), ci95: [points(step.size - reach), points(step.size + reach)], p: Math.min(1, looks * step.p),
                adjusted: ["weekday"], detectable: points(SEEN * step.error), visits: sums[1][0],
            });
            if (sums.some(([visits]) => visits < LEAST_VISITS) || sides.some((side) => users(side) < LEAST_USERS)) claim.refused = "few_visits";
            conclude(claim, claim.p, sums[1][1] / sums[1][0] - sums[0][1] / sums[0][0], ["fell", "rose"]);
            return {claim, at: days[step.at].start, relative: claim.difference / none};
        }
    }
    // What can be said of a trend by days, and of its marks.
    const trendClaims = (d, points, marks, visits, period) => {
        const unasked = {claim: makeClaim({refused: "unit", unit: "users"})}, few = (kind) => ({claim: makeClaim({refused: "few_days", kind})});
        if (!visits) return [unasked, ...marks.map(() => unasked)];
        const daily = DailyTrend.of(points), {days} = daily, ofDay = new Map();
        for (let i = 0, today = [0, 0]; i < visits.count; i += 5) {
            if (visits.all[i + 1] < today[0] || visits.all[i + 1] >= today[1]) today = period(visits.all[i + 1]);
            if (!ofDay.has(today[0])) ofDay.set(today[0], new Set());
            ofDay.get(today[0]).add(visits.all[i]);
        }
        const users = (side) => new Set(side.flatMap((day) => [...ofDay.get(day.start) ?? []])).size;
        const steps = days.length < 14 ? [] : days.slice(3).map((_, i) => daily.step(i + 2)).filter((one) => one);
        const best = steps.reduce((a, b) => a && a.p <= b.p ? a : b, null);
        const verdict = days.length < 14 ? few("unsettled") : best ? daily.claim(best, days.length - 3, users) : few("none");
        if (verdict.claim.kind === "none" && !verdict.claim.refused) verdict.claim.kind = "steady";
        return [verdict, ...marks.map(([mark]) => {
            const at = days.findIndex((day) => day.start >= mark), split = at < 0 ? days.length : at;
            const before = days.slice(Math.max(split - 14, 0), split), after = days.slice(split, split + 14);
            const own = new DailyTrend([...before, ...after].map((day, i, all) => ({...day, weekday: day.weekday})));
            const step = before.length > 1 && after.length > 1 ? own.step(before.length) : null;
            return step ? own.claim(step, marks.length, users) : few("none");
        })];
    };
    const trend = (data, d, every) => {
        const calendar = new Calendar(data, every), days = new Calendar(data, "day"), whole = new StartTally(d, every === "day"), tallies = new Map();
        const {breakdown, end, until} = forEachChain(data, d, (time) => calendar.period(time), (chain, key, group, part) => {
            if (part.start === null) return whole.add(chain, group, part);
            const start = calendar.start(part.start);
            if (!tallies.has(start)) tallies.set(start, new StartTally(d));
            return tallies.get(start).add(chain, group, part);
        });
        const isComplete = (start) => end !== null && (d.since ?? -Infinity) <= start && calendar.next(start) <= (d.until ?? Infinity)
            && calendar.next(start) <= (until === Infinity ? end + 1 : until);
        const starts = [...tallies.keys()].sort((a, b) => a - b);
        const points = [...calendar.filled(starts)].map((start) => {
            const own = tallies.get(start), shown = own?.shown, covered = own && coverage(data, days, calendar.period(start));
            return {
                start_ms: start, counts: d.steps.map((_, i) => shown?.counts[i] ?? 0), entered: shown?.entered ?? 0,
                converted: shown?.converted ?? 0, rate: shown?.entered ? shown.converted / shown.entered : null,
                rate_ci95: shown ? interval(shown.converted, shown.entered) : null, window_open: shown?.open ?? 0,
                left_out: own ? own.all[0] - own.mature[0] : 0, complete: isComplete(start),
                time_ms: shown ? distribution(shown.first[d.last]) : null, coverage: covered?.json ?? null, isWhole: covered?.isWhole,
                groups: own && breakdown ? own.groups(breakdown).map(([value, t]) => ({value, ...shareJSON(t.converted, t.entered)})) : [],
            };
        });
        const marks = every === "day" ? data.head.marks : [];
        const changes = every === "day" ? trendClaims(d, points, marks, whole.visits, (time) => days.period(time)) : [];
        const [verdict, ...atMarks] = changes.map(({claim, at, relative}) => {
            return {json: claimJSON(claim, {at: at === undefined ? "" : days.label(at), relative}), at: at ?? null, relative: relative ?? null};
        });
        return {
            schema: 1, definition: definitionJSON(data, d), every, tz: data.head.tz,
            overall: shareJSON(whole.shown.converted, whole.shown.entered),
            verdict: verdict ? {...verdict.json, at_ms: verdict.at, relative: verdict.relative} : null,
            marks: marks.map(([ms, label], i) => ({ms, label, claim: {...atMarks[i].json, at_ms: atMarks[i].at, relative: atMarks[i].relative}})),
            alert: null, points: points.map(({isWhole, ...point}) => point),
        };
    };

    // Adds up who comes back, key by key.
    const retention = (data, q) => {
        const calendar = new Calendar(data, q.every), breakdown = q.breakdown && new Breakdown(data, q.breakdown), rows = new Map(), bounds = new Map();
        const d = {steps: [q.start, q.back], exclusions: [], by: q.by, order: "ordered"}, end = data.end(7 * DAY);
        const ends = (start) => {
            if (!bounds.has(start)) {
                const list = [];
                for (let k = 0, at = start; k <= q.periods; k++) list.push(at = at === Infinity ? at : calendar.next(at));
                bounds.set(start, list);
            }
            return bounds.get(start);
        };
        const value = (key, first) => {
            const {attribution} = q.breakdown, codes = [], isStart = attribution === 1;
            for (let i = isStart ? first : 0; i < key.count && (!isStart || key.times[i] === key.times[first]); i++) {
                if (isStart ? key.steps[i] & 1 : key.values[i]) codes.push([key.values[i], key.times[i]]);
            }
            if (!codes.length) return 0;
            const one = attribution === "last" ? codes.at(-1) : codes[0];
            if (codes.some(([code, time]) => time === one[1] && code !== one[0])) {
                throw new Refused(`--breakdown ${q.breakdown.text}`, "somebody has two values in one millisecond, and which comes first is not in the page");
            }
            return one[0];
        };
        forEachKey(data, d, breakdown?.value, (_, key) => {
            let first = 0;
            while (first < key.count && !(key.steps[first] & 1)) first++;
            const began = key.times[first];
            if (first === key.count || began < (q.since ?? -Infinity) || began >= (q.until ?? Infinity)) return;
            const start = calendar.start(began), there = ends(start), seen = new Uint8Array(q.periods + 1);
            for (let i = first, k = 0; i < key.count; i++) {
                if (!(key.steps[i] & 2) || key.times[i] <= began) continue;
                while (k < there.length && key.times[i] >= there[k]) k++;
                if (k > q.periods) break;
                seen[k] = 1;
            }
            if (!rows.has(start)) rows.set(start, new Map());
            const group = breakdown ? value(key, first) : 0, cell = rows.get(start).get(group) ?? {size: 0, retained: new Array(q.periods + 1).fill(0)};
            rows.get(start).set(group, cell);
            cell.size++;
            seen.forEach((was, k) => { cell.retained[k] += was; });
        });
        const starts = [...calendar.filled([...rows.keys()].sort((a, b) => a - b))];
        const cohorts = (groups) => {
            const list = starts.map((start) => {
                const cells = [...rows.get(start) ?? []].filter(([group]) => !groups || groups.includes(group)).map(([, cell]) => cell);
                return {
                    start_ms: start, size: cells.reduce((sum, cell) => sum + cell.size, 0),
                    retained: ends(start).map((at, k) => at - 1 <= end ? cells.reduce((sum, cell) => sum + cell.retained[k], 0) : null),
                };
            });
            const average = Array.from({length: q.periods + 1}, (_, k) => {
                const complete = list.filter((cohort) => cohort.retained[k] !== null);
                const size = complete.reduce((sum, cohort) => sum + cohort.size, 0);
                return size ? complete.reduce((sum, cohort) => sum + cohort.retained[k], 0) / size : null;
            });
            return {cohorts: list, average};
        };
        const groups = [];
        if (breakdown) {
            const sizes = new Map(), shown = new Map();
            for (const row of rows.values()) for (const [group, cell] of row) sizes.set(group, (sizes.get(group) ?? 0) + cell.size);
            for (const [group, name] of shownNames(breakdown, sizes, q.breakdown.top)) {
                const own = shown.get(name) ?? {size: 0, groups: []};
                own.size += sizes.get(group);
                own.groups.push(group);
                shown.set(name, own);
            }
            const isLast = (name) => name === NONE ? 1 : name === OTHER ? 2 : 0;
            for (const [value, own] of [...shown].sort((a, b) => isLast(a[0]) - isLast(b[0]) || b[1].size - a[1].size || order(a[0], b[0]))) {
                groups.push({value, ...cohorts(own.groups)});
            }
        }
        return {
            schema: 1, definition: {
                start: patternText(q.start), return: patternText(q.back), every: q.every, periods: q.periods, tz: data.head.tz, by: q.by,
                since_ms: q.since, until_ms: q.until, ...q.breakdown && {breakdown: q.breakdown.text, top: q.breakdown.top},
                ...!data.head.identify && {identify: false},
            }, end_ms: end, ...cohorts(null), groups,
        };
    };

    // Follows each key into a tree of what comes next, or what came before.
    class PathFollower {
        constructor(data, q) {
            Object.assign(this, {data, q, starts: 0, open: 0, from: data.numberOf(q.name), root: {count: 0, ends: 0, children: new Map()}});
            const {names} = data.head, sorted = names.map((_, i) => i).sort((a, b) => order(names[a], names[b]));
            this.ranks = [];
            sorted.forEach((name, rank) => { this.ranks[name] = rank + 1; });
            this.ranks[this.from] = q.isBack ? names.length + 1 : 0;
            const days = data.head.days;
            this.edge = !days.length ? 0 : q.isBack ? days[0][1] : days.at(-1)[2];
        }
        follow(events) {
            const {q, data: {names, times}} = this, by = q.isBack ? -1 : 1;
            const isStart = (event) => names[event] === this.from && times[event] >= (q.since ?? -Infinity) && times[event] < (q.until ?? Infinity);
            if (!events.some(isStart)) return;
            const list = [...events].sort((a, b) => times[a] - times[b] || this.ranks[names[a]] - this.ranks[names[b]]);
            for (let s = 0; s < list.length; s++) {
                if (!isStart(list[s])) continue;
                let node = this.root, last = list[s], depth = 0;
                node.count++;
                for (let i = s + by; depth < q.depth && i >= 0 && i < list.length && Math.abs(times[list[i]] - times[list[s]]) <= q.window; i += by) {
                    const name = names[list[i]];
                    if (q.merges && name === names[last]) continue;
                    if (!node.children.has(name)) node.children.set(name, {count: 0, ends: 0, children: new Map(), times: new Durations()});
                    node = node.children.get(name);
                    node.count++;
                    node.times.push(Math.abs(times[list[i]] - times[last]));
                    last = list[i];
                    depth++;
                }
                if (depth < q.depth) {
                    node.ends++;
                    if (Math.abs(times[list[s]] - this.edge) < q.window) this.open++;
                }
                if (q.count === "users") return;
            }
        }
        nodes(node) {
            const {q, root, data: {head: {names}}} = this, next = q.isBack ? "previous" : "next";
            const children = [...node.children].sort((a, b) => b[1].count - a[1].count || order(names[a[0]], names[b[0]]));
            let told = children.slice(0, q.top).findIndex(([, one]) => one.count < q.share * root.count);
            if (told < 0) told = Math.min(q.top, children.length);
            const row = (name, kind, count, times, after) => ({
                name, kind, count, of_starts: count / root.count, of_previous: count / node.count, from_previous_ms: times && distribution(times),
                [next]: after,
            });
            const rows = children.slice(0, told).map(([name, one]) => row(names[name], "event", one.count, one.times, this.nodes(one)));
            const rest = children.slice(told), times = new Durations();
            for (const [, one] of rest) for (let i = 0; i < one.times.count; i++) times.push(one.times.all[i]);
            if (rest.length) rows.push(row(OTHER, "other", rest.reduce((sum, [, one]) => sum + one.count, 0), times, []));
            if (node.ends) rows.push(row(q.isBack ? "(start)" : "(end)", q.isBack ? "start" : "end", node.ends, null, []));
            return rows;
        }
    }
    const paths = (data, q) => {
        const follower = new PathFollower(data, q);
        const groups = q.by === "session" ? sessionOrder(data) : null, starts = groups ? groups.starts : data.starts;
        for (let k = 1; follower.from >= 0 && k <= (groups ? data.head.sessions : data.head.users); k++) {
            const list = groups ? groups.order.subarray(starts[k], starts[k + 1]) : Uint32Array.from({length: starts[k + 1] - starts[k]}, (_, i) => starts[k] + i);
            follower.follow(list);
        }
        return {
            schema: 1, definition: {
                [q.isBack ? "to" : "from"]: q.name, window_ms: q.window, depth: q.depth, by: q.by, count: q.count, merge_repeats: q.merges, top: q.top,
                min_share: q.share, since_ms: q.since, until_ms: q.until, ...!data.head.identify && {identify: false},
            }, starts: follower.root.count, window_open: follower.open,
            [q.isBack ? "previous" : "next"]: follower.root.count ? follower.nodes(follower.root) : [],
        };
    };

    // The keys behind a bar, and what one of them did.
    const users = (data, d, step, isDropped) => {
        const keys = [];
        let all = 0;
        forEachChain(data, d, null, (chain, key, group, part) => {
            if (!(part.counts & (d.mature ? 2 : 1))) return;
            const has = (s) => chain.taken >> s & 1;
            if (isDropped ? !has(d.previous[step - 1]) || has(step - 1) || chain.depth >= step : !has(step - 1)) return;
            all++;
            if (keys.length < 200) keys.push(key);
        });
        return {schema: 1, definition: definitionJSON(data, d), users: {step, dropped: isDropped, count: all, keys}};
    };
    const person = (data, key, by) => {
        const groups = by === "session" ? sessionOrder(data) : null, starts = groups ? groups.starts : data.starts, events = [];
        const text = (property, code) => !code ? null : code <= property.values.length ? property.values[code - 1]
            : code <= property.values.length + property.ranges.length
                ? property.ranges[code - property.values.length - 1].map((border) => border ?? "…").join(" – ") : OTHER;
        for (let i = starts[key]; i < starts[key + 1]; i++) {
            const event = groups ? groups.order[i] : i, props = {};
            for (const property of data.props) {
                const value = text(property, data.codes(property)[event]);
                if (value !== null) props[keysText(property.path)] = value;
            }
            events.push({t_ms: data.times[event], name: data.head.names[data.names[event]], session: data.sessions[event] || null, props});
        }
        return {schema: 1, user: {key, id: by === "user" ? data.head.ids?.[key - 1] ?? null : null, events}};
    };

    // MARK: Asking

    const FUNNEL = ["steps", "window", "step-window", "order", "by", "exclude", "since", "until", "mature", "include-open", "breakdown", "top", "count"];
    const VIEWS = {
        funnel: FUNNEL, trend: [...FUNNEL, "every"], users: [...FUNNEL, "step", "dropped"], user: [...FUNNEL, "user"],
        retention: ["start", "return", "every", "periods", "by", "since", "until", "breakdown", "top"],
        paths: ["from", "to", "window", "depth", "by", "count", "merge-repeats", "top", "min-share", "since", "until"],
    };
    const ELSEWHERE = ["hold", "compat", "data-end", "tz", "no-identify", "only-users", "not-users"];
    const parse = (fragment) => {
        const ask = new Map();
        for (const pair of fragment.replace(/^#/, "").split("&")) {
            if (!pair) continue;
            const at = pair.indexOf("="), plain = (text) => {
                try {
                    return decodeURIComponent(text.replace(/\+/g, " "));
                } catch {
                    throw new Wrong(`the address holds \`${text}\`, which is not encoded as an address is`);
                }
            };
            const key = plain(at < 0 ? pair : pair.slice(0, at)), value = at < 0 ? "true" : plain(pair.slice(at + 1));
            if (key === "exclude") ask.set(key, [...ask.get(key) ?? [], value]);
            else if (ask.has(key)) throw new Wrong(`the address says \`${key}\` twice`);
            else ask.set(key, value);
        }
        return ask;
    };
    const spell = (ask) => [...ask].flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((one) =>
        `${encodeURIComponent(key)}=${encodeURIComponent(one).replace(/%20/g, "+")}`)).join("&");
    // A text for a shell: what could act is written out.
    const shellWord = (text) => {
        if (/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(text)) {
            const bytes = new TextEncoder();
            return `$'${[...text].map((c) => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(c)
                ? [...bytes.encode(c)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("") : c.replace(/['\\]/g, "\\$&")).join("")}'`;
        }
        return /^[A-Za-z0-9_\/.:=,@%+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
    };
    const command = (data, ask) => {
        const view = ask.get("view") ?? "funnel", words = ["looptrail", view];
        if (view === "user") return `looptrail explain ${shellWord(data.head.ids?.[ask.get("user") - 1] ?? "USER")} ${command(data, new Map(
            [...ask].filter(([key]) => FUNNEL.includes(key) && key !== "breakdown" && key !== "top"))).split(" ").slice(2).join(" ")}`;
        words.push(shellWord(data.head.source));
        for (const [key, value] of ask) {
            if (key === "view") continue;
            for (const one of Array.isArray(value) ? value : [value]) {
                if (["mature", "include-open", "dropped", "merge-repeats"].includes(key)) {
                    if (one === "true") words.push(`--${key}`);
                } else words.push(/^-/.test(one) ? `--${key}=${shellWord(one)}` : `--${key} ${shellWord(one)}`);
            }
        }
        if (view === "trend" && (ask.get("every") ?? "day") === "day") {
            const days = new Calendar(data, "day");
            for (const [ms, label] of data.head.marks) words.push(`--mark ${shellWord(`${days.label(ms)}=${label}`)}`);
        }
        if (data.head.tz !== "UTC") words.push(`--tz ${shellWord(data.head.tz)}`);
        if (!data.head.identify) words.push("--no-identify");
        return words.join(" ");
    };
    const answer = (data, ask, ofFunnel = funnel) => {
        const view = ask.get("view") ?? "funnel", allowed = VIEWS[view];
        if (!allowed) throw ["why", "compare", "timings"].includes(view) ? new Refused(view, "the page does not count it")
            : new Wrong(`view=${view}: there are ${Object.keys(VIEWS).join(", ")}`);
        for (const key of ask.keys()) {
            if (ELSEWHERE.includes(key)) throw new Refused(`--${key}`, "the page does not count with it");
            if (key !== "view" && !allowed.includes(key)) throw new Refused(key, `the page does not know this word for view=${view}`);
        }
        const word = (key, words, standard) => {
            const value = ask.get(key) ?? standard;
            if (!words.includes(value)) throw new Wrong(`${key}: \`${value}\` is none of ${words.join(", ")}`);
            return value;
        };
        const flag = (key) => word(key, ["true", "false"], "false") === "true";
        const whole = (key, low, high, standard) => {
            const value = ask.get(key) ?? String(standard);
            if (!/^[0-9]+$/.test(value) || Number(value) < low || Number(value) > high) throw new Wrong(`${key}: expected a whole number from ${low} to ${high}`);
            return Number(value);
        };
        const needed = (key) => {
            if (!ask.has(key)) throw new Wrong(`${key}= is needed`);
            return ask.get(key);
        };
        const moment = (key) => {
            const text = ask.get(key);
            if (text === undefined) return null;
            if (text.startsWith("now")) throw new Refused(`--${key} ${text}`, "a page has no clock: write a date");
            const m = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/.exec(text);
            const date = m && Date.UTC(m[1], m[2] - 1, m[3]) / DAY;
            if (!m || civil(date).getUTCDate() !== Number(m[3]) || Number(m[4] ?? 0) > 23 || Number(m[5] ?? 0) > 59 || Number(m[6] ?? 0) > 59) {
                throw new Wrong(`${key}: \`${text}\` is not a date or time: write \`2026-01-15\`, \`2026-01-15T08:30\` or \`2026-01-15T08:30Z\``);
            }
            const time = (m[4] ?? 0) * 3600000 + (m[5] ?? 0) * 60000 + (m[6] ?? 0) * 1000 + Number(((m[7] ?? "") + "000").slice(0, 3));
            if (m[8]) {
                const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(m[8]) ?? [null, "+", "0", "0"];
                return date * DAY + time - (sign === "-" ? -1 : 1) * (hours * 3600000 + minutes * 60000);
            }
            if (data.head.tz === "UTC") return date * DAY + time;
            const index = date - data.head.first_day, start = data.head.day_starts[index];
            if (start === undefined || time && data.head.day_starts[index + 1] - start !== DAY) {
                throw new Refused(`--${key} ${text}`, `this page does not know that time in ${data.head.tz}: add its distance from UTC, as in \`2026-01-15T08:30Z\``);
            }
            return start + time;
        };
        const key = () => {
            const by = ask.get("by") ?? "user";
            if (by !== "user" && by !== "session") throw new Refused(`--by ${by}`, "the page counts by user or session");
            if (by === "session" && data.head.cut) throw new Refused("--by session", "the page holds the events of some users only");
            return by;
        };
        const breakdown = () => {
            const text = ask.get("breakdown");
            if (text === undefined) {
                if (ask.has("top")) throw new Wrong("top says how many groups to show: it needs breakdown=");
                return null;
            }
            let colon = -1;
            for (let i = 0, isQuoted = false; i < text.length && colon < 0; i++) {
                if (text[i] === "\\" && isQuoted) i++;
                else if (text[i] === '"') isQuoted = !isQuoted;
                else if (text[i] === ":" && !isQuoted) colon = i;
            }
            const name = colon < 0 ? text : text.slice(0, colon), kind = colon < 0 ? "first" : text.slice(colon + 1);
            const source = name.startsWith("session.") ? "session" : "event";
            const grammar = new Grammar(name.replace(/^(props|session)\./, ""), "breakdown"), path = grammar.path();
            if (grammar.current !== undefined) grammar.fail("`.` or the end");
            const step = /^step=([0-9]+)$/.exec(kind);
            if (!["first", "last", "all"].includes(kind) && !(step && Number(step[1]) > 0)) {
                throw new Wrong(`breakdown, column ${[...name].length + 2}: expected \`first\`, \`last\`, \`all\` or \`step=\` and a step's number`);
            }
            return {source, path, attribution: step ? Number(step[1]) : kind, top: whole("top", 1, 10000, 10), text: `${pathText(path, source, ":")}:${kind}`};
        };
        const range = () => {
            const [since, until] = [moment("since"), moment("until")];
            if (since !== null && until !== null && since >= until) throw new Wrong("since: no time lies between since and until");
            return {since, until};
        };
        const definition = () => {
            const list = new Grammar(needed("steps"), "steps").steps();
            if (list.length > 30) throw new Refused("--steps", "the page counts up to 30 steps");
            const exclusions = (ask.get("exclude") ?? []).map((text) => new Grammar(text, "exclude").exclusion());
            if (exclusions.length > 30) throw new Refused("--exclude", "the page counts with up to 30 exclusions");
            for (const one of exclusions) if (one.range?.[1] > list.length) throw new Wrong(`exclude: \`${exclusionText(one)}\` goes beyond the ${list.length} steps`);
            const layout = new StepLayout(list.map((step) => step.optional));
            const [isMature, takesOpen] = [flag("mature"), flag("include-open")];
            if (isMature && takesOpen) throw new Wrong("mature and include-open exclude each other");
            const d = {
                steps: list, exclusions, window: duration(ask.get("window") ?? "7d", "window"),
                stepWindow: ask.has("step-window") ? duration(ask.get("step-window"), "step-window") : null,
                order: word("order", ["ordered", "strict", "any"], "ordered"), by: key(), ...range(), breakdown: breakdown(),
                mature: view === "trend" ? !takesOpen : isMature, previous: layout.previous,
                last: list.reduce((last, step, i) => step.optional ? last : i, 0),
            };
            const comparesVisits = d.order !== "any" && (view === "trend" || view === "funnel" && d.breakdown?.attribution === "first");
            d.count = ask.get("count") ?? (comparesVisits ? "visits" : "users");
            if (d.count === "attempts") throw new Refused("--count attempts", "the page counts users, sessions and visits");
            word("count", ["users", "visits"], "users");
            if (view === "users" && d.count === "visits") throw new Refused("--count visits", "the page lists users and sessions");
            if (d.breakdown && Number(d.breakdown.attribution) > list.length) throw new Wrong(`breakdown: the funnel has ${list.length} steps`);
            if (d.order === "any") {
                if (ask.get("count") === "visits") throw new Wrong("order any does not go with visits: its starts have no first step");
                const bad = list.some((s) => s.optional) ? "optional steps: any of its steps may be missing"
                    : d.stepWindow !== null ? "a step window: its steps have no neighbours"
                    : exclusions.some((one) => one.range) ? "an exclusion between two steps: leave the `@` away" : null;
                if (bad) throw new Wrong(`order any does not go with ${bad}`);
            }
            return d;
        };
        switch (view) {
        case "funnel": return ofFunnel(data, definition());
        case "trend": return trend(data, definition(), word("every", ["hour", "day", "week", "month"], "day"));
        case "users": {
            const d = definition(), step = whole("step", 1, d.steps.length, d.last + 1), isDropped = flag("dropped");
            if (isDropped && step === 1) throw new Wrong("dropped: nobody can be lost before step 1");
            return users(data, d, step, isDropped);
        }
        case "user": {
            const by = key(), most = by === "session" ? data.head.sessions : data.head.users;
            if (!most) throw new Wrong(`user: there is no ${by}`);
            return person(data, whole("user", 1, most, 1), by);
        }
        case "retention": {
            const single = (name) => new Grammar(needed(name), name).single(), one = breakdown();
            if (one?.attribution === "all" || Number(one?.attribution) > 1) throw new Wrong("breakdown: a cohort has each key once: take :first, :last or :step=1");
            return retention(data, {
                start: single("start"), back: single("return"), every: word("every", ["day", "week", "month"], "day"),
                periods: whole("periods", 0, 366, 7), by: key(), ...range(), breakdown: one,
            });
        }
        default: {
            if (ask.has("from") === ask.has("to")) throw new Wrong("paths need from= or to=");
            const share = /^([0-9]+(?:\.[0-9]+)?)%$/.exec(ask.get("min-share") ?? "1%");
            if (!share || Number(share[1]) > 100) throw new Wrong("min-share: expected a share such as 1%");
            return paths(data, {
                isBack: ask.has("to"), name: ask.get("from") ?? ask.get("to"), window: duration(ask.get("window") ?? "1d", "window"),
                depth: whole("depth", 1, 20, 3), by: key(), count: word("count", ["users", "attempts"], "users"), merges: flag("merge-repeats"),
                top: whole("top", 1, 1000, 5), share: Number(share[1]) / 100, ...range(),
            });
        }
        }
    };
    // What an address asks, as the command's JSON; or why not.
    const ask = (data, fragment) => {
        let asked = new Map();
        try {
            asked = typeof fragment === "string" ? parse(fragment) : fragment;
            const result = answer(data, asked), {sample} = data.head;
            return {asked, result: sample ? {...result, sample} : result};
        } catch (error) {
            if (error instanceof Refused) return {asked, result: {refused: {what: error.what, why: error.why, command: command(data, asked)}}};
            if (error instanceof Wrong) return {asked, result: {wrong: error.message}};
            throw error;
        }
    };
    return {
        Data, Grammar, Wrong, questionOf, findings, ask, parse, spell, command, duration, durationText, stepText, exclusionText, nameText, pathText, valueText, interval,
        difference, order, Calendar,
    };
})();
