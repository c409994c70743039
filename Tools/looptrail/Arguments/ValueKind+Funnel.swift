import Funnels

extension ValueKind<[FunnelStep]> {
    static let steps = ValueKind(grammar: FunnelStep.parse, placeholder: "STEPS", example: "viewed > added > paid") { _ in
        "these steps cannot be read"
    }
}

extension ValueKind<EventPattern> {
    /// One step, for a flag that takes no sequence.
    static let step = ValueKind(placeholder: "STEP", example: "payment_succeeded[total>=50]") { text throws(ValueProblem) in
        let steps = try ValueKind<[FunnelStep]>.steps.parse(text)
        guard steps.count == 1, !steps[0].isOptional else {
            throw ValueProblem(
                steps.count == 1
                    ? "`\(text)` is optional, and here it is the question: take the `?` away"
                    : "`\(text)` has \(steps.count) steps, and here one is meant")
        }
        return steps[0].pattern
    }
}

extension ValueKind<FunnelKey> {
    static let funnelKey = ValueKind(grammar: FunnelKey.parse, placeholder: "KEY", example: "session") { "`\($0)` is not a key" }
}

extension ValueKind<Int64> {
    /// A duration in milliseconds: `90s`, `1h`, `7d`.
    static func duration(_ subject: String) -> ValueKind {
        ValueKind(
            grammar: { text throws(GrammarError) in try DurationText.milliseconds(text, subject: subject) }, placeholder: "TIME",
            example: "1h"
        ) { "`\($0)` is not a duration" }
    }
}

extension ValueKind<FunnelExclusion> {
    static let exclusion = ValueKind(grammar: FunnelExclusion.parse, placeholder: "EVENT", example: "!cart_cleared@1-3") { _ in
        "this exclusion cannot be read"
    }
}

extension ValueKind<FunnelBreakdown> {
    static let breakdown = ValueKind(
        grammar: { text throws(GrammarError) in try FunnelBreakdown.parse(text) }, placeholder: "PROPERTY", example: "plan:last"
    ) { "`\($0)` is not a breakdown" }
}

extension ValueKind<FunnelCompat> {
    static let compat = ValueKind(grammar: FunnelCompat.parse, placeholder: "ENGINE", example: "clickhouse") {
        "`\($0)` is not an engine that --compat knows"
    }
}

extension ValueKind<[String]> {
    /// The path of a property in `props`.
    static func propertyPath(_ subject: String) -> ValueKind {
        ValueKind(
            grammar: { text throws(GrammarError) in try PropertyPath.parse(text, subject: subject) }, placeholder: "props.PATH",
            example: "props.sku"
        ) { "`\($0)` is not a property" }
    }
}

extension ValueKind<FunnelPart> {
    /// The number of a part, from 1, and how many parts there are: `3/8`.
    static let part = ValueKind(placeholder: "K/N", example: "3/8") { text throws(ValueProblem) in
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        if numbers.count == 2, let number = numbers[0], let count = numbers[1], let part = FunnelPart(number, of: count) { return part }
        throw ValueProblem("`\(text)` is not a part of how many, such as `3/8`: from 1, of at most \(FunnelSplit.maxParts)")
    }
}
