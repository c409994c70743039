import Funnels
import Reports

extension ValueKind<FunnelExclusion> {
    static let exclusion = ValueKind(placeholder: "EVENT", example: "!cart_cleared@1-3") { text throws(ValueProblem) in
        do throws(GrammarError) { return try FunnelExclusion.parse(text) } catch {
            throw ValueProblem("this exclusion cannot be read", detail: error.pointing())
        }
    }
}

extension ValueKind<FunnelBreakdown> {
    static let breakdown = ValueKind(placeholder: "props.PATH", example: "props.plan:last") { text throws(ValueProblem) in
        do throws(GrammarError) { return try FunnelBreakdown.parse(text) } catch {
            throw ValueProblem("`\(text)` is not a breakdown", detail: error.pointing())
        }
    }
}

extension ValueKind<FunnelCompat> {
    static let compat = ValueKind(placeholder: "ENGINE", example: "clickhouse") { text throws(ValueProblem) in
        do throws(GrammarError) { return try FunnelCompat.parse(text) } catch {
            throw ValueProblem("`\(text)` is not an engine that --compat knows", detail: error.pointing())
        }
    }
}

extension ValueKind<[String]> {
    /// Keys into `props`.
    static func propertyPath(_ subject: String) -> ValueKind {
        ValueKind(placeholder: "props.PATH", example: "props.sku") { text throws(ValueProblem) in
            do throws(GrammarError) { return try PropertyPath.parse(text, subject: subject) } catch {
                throw ValueProblem("`\(text)` is not a property", detail: error.pointing())
            }
        }
    }
}
