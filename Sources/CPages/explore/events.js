// A number as NumberText has it: whole within 64 bits or of digits alone, beyond doubles by its digits; null for no number.
const numberOf = (text) => {
    const found = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text), value = Number(text);
    if (!found) return null;
    if (Number.isSafeInteger(value)) return {value, whole: null};
    const [, sign, integral, fraction = "", power = "0"] = found, all = (integral + fraction).replace(/^0+/, "");
    if (sign + integral === text && Number.isFinite(value)) return {value, whole: BigInt(text)};
    const digits = all.replace(/0+$/, "");
    const first = Number(power) + all.length - fraction.length;
    if (Math.abs(value) < 2e19 && digits.length <= first) {
        const whole = BigInt(sign + digits + "0".repeat(first - digits.length));
        if (BigInt.asIntN(64, whole) === whole) return {value, whole};
    }
    return Number.isFinite(value) ? {value, whole: null} : {value, whole: null, first, digits};
};
const orderNumbers = (a, b) => {
    if (a.digits && b.digits && a.value === b.value) return Math.sign(a.value) * (a.first - b.first || order(a.digits, b.digits));
    let [x, y] = [a, b].map(({whole, value}) => whole ?? (Number.isSafeInteger(value) ? BigInt(value) : null));
    if (x === null || y === null) [x, y] = [a.value, b.value];
    return x < y ? -1 : x > y ? 1 : 0;
};
const HOLDS = {"=": (o) => o === 0, "!=": (o) => o !== 0, "<": (o) => o < 0, "<=": (o) => o <= 0, ">": (o) => o > 0, ">=": (o) => o >= 0};

// What a test says of each code of a column: 0 false, 1 true, 2 true for some folded values.
const answers = ({op, value}, property) => {
    const wanted = numberOf(value), holds = HOLDS[op], isEquality = op === "=" || op === "!=";
    const ofText = (text) => {
        if (!holds) return text.includes(value);
        const number = wanted && numberOf(text);
        return holds(number ? orderNumbers(number, wanted) : order(text, value));
    };
    const ofFolded = op === "~" && value === "" ? 1 : 2;
    // Both borders of a range lie outside.
    const ofRange = ([low, high]) => {
        const reaches = (border, sign) => border !== null && sign * orderNumbers(numberOf(String(border)), wanted) >= 0;
        if (holds && wanted) return reaches(high, -1) ? holds(-1) : reaches(low, 1) ? holds(1) : 2;
        return isEquality ? op === "!=" : ofFolded;
    };
    // No folded text is a number or one of the values.
    const isKnown = wanted || ["", "true", "false", ...property.values].includes(value);
    const folded = isEquality && isKnown ? op === "!=" : ofFolded;
    return Uint8Array.from([op === "!=", ...property.values.map(ofText), ...property.ranges.map(ofRange), folded], Number);
};
const refuseTest = ({test, property}) => {
    const wanted = numberOf(test.value)?.value;
    const range = property.ranges.find(([low, high]) => (low === null || low < wanted) && (high === null || wanted < high)) ?? [];
    // A border can be asked unless folded texts would be compared with it, too.
    const isCertain = (one) => !answers(one, {...property, values: []}).subarray(0, property.folded ? undefined : -1).includes(2);
    const near = range.filter((border) => border !== null).map((border) => ({...test, value: String(border)})).filter(isCertain);
    return refuse(testText(test), "it holds for some of the values that few users have, which the page does not tell apart"
        + (near.length ? `; ${near.map((one) => `\`${testText(one)}\``).join(" and ")} can be asked` : ""));
};

// MARK: Keys

// Which of some patterns each event fits, as bits.
class StepMatcher {
    constructor(data, patterns) {
        this.ofName = ints(data.head.names.length);
        this.tested = 0;
        this.tests = patterns.flatMap(({names, tests}, i) => {
            for (const n of names?.map((name) => data.numberOf(name)) ?? this.ofName.keys()) if (n >= 0) this.ofName[n] |= bit(i);
            if (tests.length) this.tested |= bit(i);
            return tests.map((test) => {
                const property = data.property(test.source, test.path);
                return {own: bit(i), test, property, table: answers(test, property), codes: data.codes(property)};
            });
        });
    }
    // The patterns whose tests an event passes, among those that its name fits.
    left(bits, event) {
        let open = 0;
        for (const {own, table, codes} of this.tests) {
            if (!(bits & own)) continue;
            const answer = table[codes[event]];
            if (answer === 0) bits &= ~own;
            if (answer === 2) open |= own;
        }
        open &= bits;
        if (!open) return bits;
        return refuseTest(this.tests.findLast(({own, table, codes}) => own === (open & -open) && table[codes[event]] === 2));
    }
}

// Columns of numbers, used again.
class Table {
    constructor(kinds) { Object.assign(this, {kinds, count: 0, size: 0}).reserve(256); }
    reserve(count) {
        if (count <= this.size) return;
        for (const [name, Kind] of Object.entries(this.kinds)) {
            const more = new Kind(2 * count);
            if (this.size) more.set(this[name]);
            this[name] = more;
        }
        this.size = 2 * count;
    }
    // A table for the question at hand: the memory of the one before is reused.
    static kept(kinds) {
        const own = entry(Table.own, kinds, () => ({tables: [], used: 0})), table = own.tables[own.used++] ??= new Table(kinds);
        table.count = 0;
        return table;
    }
    static forget() {
        for (const own of Table.own.values()) {
            own.used = 0;
            own.tables.length = Math.min(own.tables.length, 64);
        }
    }
    static own = new Map();
    next() {
        this.reserve(this.count + 1);
        return this.count++;
    }
}
// Events of one key by rising time: when each was, the steps and exclusions it fits, its value, its index in the page.
const EVENTS = {times: Float64Array, steps: Int32Array, exclusions: Int32Array, values: Uint32Array, index: Uint32Array};

// Calls body with each key and its events that the definition wants. values: the code of each event's group.
const forEachKey = (data, {steps, exclusions, order: kind, by}, values, body) => {
    const taking = new StepMatcher(data, steps), excluding = new StepMatcher(data, exclusions), key = new Table(EVENTS);
    const takesAll = kind === "strict", {tested, ofName: ofSteps} = taking, excludes = exclusions.length > 0;
    const {times, names} = data, {count, starts, order: list} = data.keys(by), ofExclusions = excluding.ofName;
    for (let k = 1; k <= count; k++) {
        const from = starts[k], to = starts[k + 1];
        key.reserve(to - from);
        const {times: ownTimes, steps: ownSteps, exclusions: ownExclusions, values: ownValues, index} = key;
        let n = 0, excluded = 0;
        for (let i = from; i < to; i++) {
            const event = list ? list[i] : i, name = names[event];
            let own = ofSteps[name], other = excludes ? ofExclusions[name] : 0;
            if (own & tested) own = taking.left(own, event);
            if (other) excluded |= other = excluding.left(other, event);
            if (!(own | other) && !takesAll) continue;
            ownTimes[n] = times[event];
            ownSteps[n] = own;
            if (excludes) ownExclusions[n] = other;
            if (values) ownValues[n] = values[event];
            index[n++] = event;
        }
        key.count = n;
        key.isExcluded = excluded !== 0;
        if (n > 0) body(k, key);
    }
};
