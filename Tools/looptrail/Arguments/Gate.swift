import Basics
import Funnels
import Reports

/// The least share of those who enter that must reach a step. A build can fail on it.
struct Gate: Sendable, Hashable {
    /// 1 for the first.
    let step: Int
    let share: Percentage

    /// Reads `4:30%`; `nil` for anything else.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let step = Int(parts[0]), step >= 1, let share = Percentage(String(parts[1]))
        else { return nil }
        self.step = step
        self.share = share
    }

    /// Why a result does not pass, in words; `nil` if it passes. If nobody entered, there is no share, and the result does not pass.
    ///
    /// - Parameter isConfident: whether the result also passes if the share's interval reaches the gate.
    func failure(of result: FunnelResult, isConfident: Bool = false) -> String? {
        let count = result.steps[step - 1].count
        if result.entered > 0 && share.isReached(by: count, of: result.entered) { return nil }
        let upper = result.share(ofFirst: result.steps[step - 1], in: result.steps).interval?.upper
        if isConfident, let upper, upper >= share.fraction { return nil }
        let funnel = result.definition.name.map { "`\($0)`, " } ?? ""
        let name = result.definition.anySteps(step) ?? result.definition.steps[step - 1].pattern.title
        let place = "gate missed: \(funnel)step \(step) `\(name)`"
        guard result.entered > 0 else { return "\(place): nobody entered" }
        let noun =
            switch (result.definition.counting, result.definition.key) {
            case (.attempts, _): "attempt"
            case (.visits, _): "visit"
            case (.users, .property), (.users, .context): "key"
            case (.users, let key): key.description
            }
        let reached = shown(Double(count) / Double(result.entered))
        let certain = isConfident ? upper.map { ", at most \(shown($0)) at 95% confidence" } ?? "" : ""
        return "\(place): \(reached) of \(GroupedNumber.counted(result.entered, noun)) got there\(certain), and \(share) had to"
    }

    /// A share below the gate's, as reports show it. It has more digits if it would otherwise look like the gate's share.
    private func shown(_ reached: Double) -> String {
        var scale = 10.0
        while scale < 1e9 {
            let rounded = (reached * 100 * scale).rounded() / scale
            if rounded < share.fraction * 100 { return "\(rounded)%" }
            scale *= 10
        }
        return "\(reached * 100)%"
    }
}

extension ValueKind<[Gate]> {
    static let gates = ValueKind(placeholder: "STEP:SHARE", example: "4:30%") { text throws(ValueProblem) in
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part throws(ValueProblem) in
            if let gate = Gate(part) { return gate }
            throw ValueProblem("`\(part)` is not a step and a share: write `4:30%` for at least 30% of step 1 at step 4")
        }
    }
}
