"""Faults for the engine of `looptrail explore`: what stands there once, and what is put in its place. Each changes a count of some question."""

MUTANTS = [
    # Ordered chains.
    ("if (time - rows[last] > window ||", "if (time - rows[last] >= window ||"),
    ("s !== depth && rows[row] >= rows[last]) continue;", "s !== depth) continue;"),
    ("if (time >= until) continue;", ""),
    ("if (isTie && overlapping) return", "if (isTie && overlapping < 0) return"),
    ("const s = isTie ? lowest(wanted) : highest(wanted)", "const s = highest(wanted)"),
    ("depth < n && rules.isOpen(rows[0], rows[0], end)", "depth < n && end >= rows[0] && end - rows[0] <= window"),
    # Rules, layout and matching.
    ("return time - start <= this.window && time - last <= this.stepWindow;", "return time - start <= this.window && time - last < this.stepWindow;"),
    ("return end >= start && end - start < this.window && end >= last", "return end >= start && end - start <= this.window && end >= last"),
    ("if (!this.fill(lowest(left))) continue;", "continue;"),
    ("range ? bit(range[1] - 1) - bit(range[0] - 1)", "range ? bit(range[1]) - bit(range[0] - 1)"),
    ("bits = bits & ~group | bit(highest(bits & group));", "bits &= ~bit(highest(bits & group));"),
    ("highest(bits & this.between(from, this.next[from]))", "highest(bits & this.between(from, this.count - 1))"),
    # Attempts.
    ("const target = layout.target(row, own);\n            if (target < 0 && !rules.isStrict) continue;",
     "const target = layout.target(row, own);\n            if (target < 0) continue;"),
    ("if (later) return later > 0;", "if (later) return later < 0;"),
    ("|| a.last - b.last", "|| b.last - a.last"),
    ("|| b.start - a.start", "|| a.start - b.start"),
    ("size(own) + (rules.isStrict ? 1 : 0)", "size(own)"),
    ("if (own || rules.isStrict) kinds.set(", "if (own) kinds.set("),
    ("Math.floor(choice / scale) % (n + 1) < n", "Math.floor(choice / scale) % (n + 1) < 1"),
    ("if (!this.rules.mayBeSpoilt) this.stand(attempt);", "if (!this.rules.mayBeSpoilt) this.note(attempt);"),
    ("this.spoiltDepth = Math.max(this.spoiltDepth, row + 1);", "this.spoiltDepth = Math.max(this.spoiltDepth, row);"),
    ("if (!best || best.times.length < way.spoiltDepth) continue;", "if (!best) continue;"),
    ("            spoilt[row] = null;\n            for (const attempt of this.leave(row)) {", "            for (const attempt of this.leave(row)) {"),
    ("if (!(spoiling >> row & 1) || !rules.allows(attempt, time)) {", "if (!(spoiling >> row & 1)) {"),
    # Any order.
    ("if (chain.depth === 0 || chain.depth < this.spoiltDepth) return null;", "if (chain.depth === 0) return null;"),
    ("if ((head < moment ? times[head] : time) >= rules.until) break;", "if (time >= rules.until) break;"),
    ("if (exclusions && this.count > 1) {", "if (exclusions && this.count > 2) {"),
    ("chain.fromPrevious[found] = found === 0 ? 0 : key.times[i] - before;", "chain.fromPrevious[found] = key.times[i] - this.start;"),
    # Events.
    ("while (row + 1 < end && times[row + 1] <= this.times[i]) row++;", "while (row + 1 < end && times[row + 1] < this.times[i]) row++;"),
    ("taken[i] = codes[row * paths + path];", "taken[i] = codes[row * paths];"),
    ("const number = wanted && numberOf(text);", "const number = null;"),
    ("[op === \"!=\", ...property.values.map(ofText)", "[false, ...property.values.map(ofText)"),
    ("unit >= 0xD800 && unit < 0xE000 ? unit + 0x10000 : unit", "unit"),
    ("if (x === null || y === null) [x, y] =", "[x, y] ="),
    # Folds.
    ("this.part(number, key, from, until, period, 2)", "this.part(number, key, from, until + 1, period, 2)"),
    ("this.codes.map((code) => code === empty ? 0 : code)", "this.codes.map((code) => code)"),
    ("breakdown.atTime(key.times[i], key, -1)", "key.values[i]"),
    (".sort(bySize).slice(this.asked.top)", ".sort(bySize).slice(this.asked.top + 1)"),
    ("time - visit.last >= TIMEOUT) {", "time - visit.last > TIMEOUT) {"),
    ("for (let i = visit.head; i >= 0; i = next[i]) run.steps[i] &= ~1;", ""),
    ("chain.isOpen && chain.depth <= d.layout.last ? 1 : 0;", "chain.isOpen ? 1 : 0;"),
    ("if (behind * 1000 >= total) break;", ""),
    # Claims and trends.
    ("if (crude * claim.difference <= 0) claim.refused = \"opposed\";\n    else claim.kind", "claim.kind"),
    ("change = Math.max(change, Math.abs(more[one]));", ""),
    ("if (stands) found.push(group);\n            else claim.kind = \"none\";", "found.push(group);"),
    ("a.t >= b.t ? a : b", "a.t <= b.t ? a : b"),
    # Retention and paths.
    ("if (!(key.steps[i] & 2) || key.times[i] <= began) continue;", "if (!(key.steps[i] & 2)) continue;"),
    ("starts[n + k + 1] - 1 <= end ?", "starts[n + k + 1] <= end ?"),
    ("if (q.merges && name === names[last]) continue;", ""),
    ("if (Math.abs(start - this.edge) < q.window) this.open++;", "if (Math.abs(start - this.edge) <= q.window) this.open++;"),
]
