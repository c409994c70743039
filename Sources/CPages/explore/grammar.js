// What acts or turns the direction of a text.
const ACTS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const isControl = (text) => /\p{Cc}/u.test(text);
const codePoint = (c) => `U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const OPERATOR = /^(?:[!<>]?=|[<>~])/, SPACES = /^[ \t\n\r]*/;
// These were meant to be straight.
const CURLY = /^[“”„‘’‚«»]|[“”„‘’‚«»]$/;
// What ends a name, a key and a value that stand without quotes.
const NAME_ENDS = '>()|[]?"@!', KEY_ENDS = '.,=!<>~' + NAME_ENDS, VALUE_ENDS = ',]"';

// Writing: what would not be read back stands in quotes.
const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;
const isBare = (text, ends) => text !== "" && !/^[ \t\n\r]|[ \t\n\r]$/.test(text)
    && !isControl(text) && !CURLY.test(text) && ![...text].some((c) => ends.includes(c));
const nameText = (name) => isBare(name, NAME_ENDS) && name !== "*" ? name : quoted(name);
const keysText = (path, mark = "") => path.map((key) => isBare(key, KEY_ENDS + mark) ? key : quoted(key)).join(".");
const pathText = (path, source, mark) => (source === "event" ? "props." : "session.") + keysText(path, mark);
const valueText = (value) => isBare(value, VALUE_ENDS) && !OPERATOR.test(value) ? value : quoted(value);
const testText = ({source, path, op, value}) => {
    const own = source === "session" ? pathText(path, source)
        : path.length > 1 && ["session", "props"].includes(path[0]) ? `"${path[0]}".${keysText(path.slice(1))}` : keysText(path);
    return own + op + valueText(value);
};
const titleOf = ({names}) => names === null ? "*" : names.length === 1 ? names[0] : `(${names.map(nameText).join(" | ")})`;
const filterOf = ({tests}) => tests.length ? tests.map(testText).join(",") : null;
const patternText = (one) => (one.names?.length === 1 ? nameText(one.names[0]) : titleOf(one))
    + (one.tests.length ? `[${filterOf(one)}]` : "");
const stepText = (step) => patternText(step) + (step.optional ? "?" : "");
const exclusionText = (one) => (one.spoils ? "!" : "") + patternText(one) + (one.range ? `@${one.range[0]}-${one.range[1]}` : "");

// Reads steps, exclusions and paths; what is not written as it should be is wrong, with its column.
class Grammar {
    constructor(text, subject) { Object.assign(this, {text, subject, at: 0}); }
    get current() { return this.text[this.at]; }
    get rest() { return this.text.slice(this.at); }
    column(at) { return [...this.text.slice(0, at)].length + 1; }
    fail(expected, at = this.at) {
        const [c] = this.text.slice(at), isUnseen = c !== undefined && ACTS.test(c);
        const found = c === undefined ? "the end" : isUnseen ? `the character ${codePoint(c)}` : `\`${c}\``;
        wrong(`${this.subject}, column ${this.column(at)}: found ${found}, expected ${expected}`);
    }
    match(pattern) {
        const [found = ""] = pattern.exec(this.rest) ?? [];
        this.at += found.length;
        return found;
    }
    space() {
        this.match(SPACES);
        return this.at;
    }
    take(c) {
        this.space();
        if (this.current !== c) return false;
        this.at++;
        return true;
    }
    need(c, expected) { if (!this.take(c)) this.fail(expected); }
    // A text in quotes, or one up to what ends it.
    word(expected, ends, takesControls = false) {
        const start = this.space();
        if (this.take('"')) {
            const inside = this.match(/^(?:[^"\\]|\\["\\])*/);
            if (this.take("\\")) this.fail('`"` or `\\`: there are no other escapes');
            if (!this.take('"')) this.fail(`\`"\`, to close the one at column ${this.column(start)}`);
            return inside.replace(/\\(.)/g, "$1");
        }
        while (this.at < this.text.length && !ends.includes(this.current)) this.at++;
        const text = this.text.slice(start, this.at).replace(/[ \t\n\r]+$/, "");
        if (text === "") this.fail(expected);
        if (!takesControls && isControl(text)) this.fail("a text without control characters (or the text in quotes)", start);
        if (CURLY.test(text)) this.fail('straight quotes, `"`', start);
        return text;
    }
    // null for any event.
    names() {
        const isSeveral = this.take("("), list = new Set();
        do {
            const start = this.space(), name = this.word("a step: a name, `*` or `(`", NAME_ENDS);
            const isAny = name === "*" && this.text[start] === "*";
            if (isAny && isSeveral) this.fail("a name: `*` stands alone, for any event", start);
            if (!isSeveral) return isAny ? null : [name];
            list.add(name);
        } while (this.take("|"));
        this.need(")", "`|` or `)`");
        return [...list];
    }
    path(ends = KEY_ENDS) {
        const path = [];
        do path.push(this.word("a property's key", ends)); while (this.take("."));
        return path;
    }
    operator() {
        this.space();
        return this.match(OPERATOR);
    }
    test() {
        const start = this.space(), isBareKey = this.current !== '"', path = this.path(), isDeep = isBareKey && path.length > 1;
        if (isDeep && path[0] === "props") this.fail(`\`${keysText(path.slice(1))}\` without \`props.\``, start);
        const source = isDeep && path[0] === "session" ? "session" : "event", op = this.operator();
        if (!op) this.fail("an operator, `=` `!=` `<` `<=` `>` `>=` or `~`, or `.` and a deeper key");
        const sign = this.at;
        if (this.operator()) this.fail("one operator (a value that begins with one goes in quotes)", sign);
        const value = this.word('a value (the empty one is `""`)', VALUE_ENDS, true);
        return {source, path: source === "session" ? path.slice(1) : path, op, value};
    }
    pattern() {
        const names = this.names(), tests = [];
        if (this.take("[")) {
            do tests.push(this.test()); while (this.take(","));
            this.need("]", "`,` or `]` (a value with quotes in it goes in quotes)");
        }
        return {names, tests};
    }
    end(expected) {
        this.space();
        if (this.current !== undefined) this.fail(expected);
    }
    steps() {
        const list = [];
        do {
            if (list.length === 32) this.fail("at most 32 steps");
            const pattern = this.pattern(), optional = this.take("?");
            if (optional && !list.length) this.fail("`>` or the end: the first step is never optional", this.at - 1);
            list.push({...pattern, optional});
        } while (this.take(">"));
        this.end("`[`, `?`, `>` or the end");
        return list;
    }
    number(least) {
        const start = this.space(), digits = this.match(/^[0-9]*/);
        if (digits === "" || Number(digits) < least) this.fail(`the number of a step from ${least} on`, start);
        return Number(digits);
    }
    exclusion() {
        const spoils = this.take("!"), pattern = this.pattern();
        let range = null;
        if (this.take("@")) {
            const first = this.number(1);
            this.need("-", "`-` and a later step, as in `@2-4`");
            range = [first, this.number(first + 1)];
        }
        this.end("`[`, `@` or the end");
        return {...pattern, spoils, range};
    }
    single() {
        const pattern = this.pattern();
        this.end("`[` or the end");
        return pattern;
    }
    // A path, and how events' values are taken: what stands before and behind the first `:` that is not quoted.
    attributed() {
        const path = this.path(KEY_ENDS + ":");
        if (this.take(":")) return {path, kind: this.rest};
        if (this.take(",")) refuse("--breakdown by two properties", "the page takes one at a time");
        this.end("`.`, `:` or the end");
        return {path, kind: "first"};
    }
}
const UNITS = {__proto__: null, w: 604800000, d: DAY, h: 3600000, m: 60000, s: 1000, ms: 1};
const duration = (text, subject) => {
    let total = 0, last = Infinity, at = 0;
    do {
        const [all, digits, unit] = /^([0-9]*)([^0-9]*)/.exec(text.slice(at)), length = UNITS[unit];
        const expected = digits === "" ? "digits and a unit, such as `90s`, `1h30m` or `7d`"
            : !length ? "digits and a unit: `ms`, `s`, `m`, `h`, `d` or `w`"
            : length >= last ? "a smaller unit than the one before, as in `1h30m`" : null;
        if (expected) wrong(`${subject}, column ${at + 1}: expected ${expected}`);
        total += Number(digits) * length;
        last = length;
        at += all.length;
    } while (at < text.length);
    if (total > 2 ** 52) refuse(`--${subject} ${text}`, "the page counts with less than 140,000 years");
    return total;
};
