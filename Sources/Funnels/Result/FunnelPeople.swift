import Basics
import EventFiles

/// The keys behind a bar of a funnel.
public struct FunnelPeople: Sendable, Hashable {
    /// Which keys.
    public enum Selection: Sendable, Hashable {
        /// Those whose chain took the step; 1 for the first.
        case reached(step: Int)
        /// Those whose chain took the required step before, but neither this step nor a later one. A key that skipped an optional step and
        /// went on is not among them. Nobody drops before step 1.
        case dropped(step: Int)
    }

    /// One key, or one attempt or one visit where these are counted.
    public struct Member: Sendable, Hashable {
        /// The key: a user, a session, a system, a property's value.
        public let key: String
        /// When its chain began, in milliseconds since 1970 UTC.
        public let startMilliseconds: Int64
        /// When it took its last step, in milliseconds since 1970 UTC.
        public let lastMilliseconds: Int64
        /// The last step that it took; 1 for the first.
        public let depth: Int
        /// The value of the breakdown's property, if the definition has a breakdown and the key a value.
        public let value: String?
    }

    public let definition: FunnelDefinition
    public let selection: Selection
    /// Sorted by start, then by key, then by depth and last step.
    public let members: [Member]
    public let input: InputQuality
    /// Names in the steps and exclusions that no event had, in their order.
    public let unseenNames: [UnseenName]
    /// As ``FunnelResult/unseenPaths``.
    public var unseenPaths: [UnseenName] = []
}

extension FunnelPeople.Selection {
    func includes(_ chain: FunnelChain, of definition: FunnelDefinition) -> Bool {
        func took(_ step: Int) -> Bool { chain.taken >> UInt32(step) & 1 == 1 }
        switch self {
        case .reached(let step): return definition.steps.indices.contains(step - 1) && took(step - 1)
        case .dropped(let step):
            guard step > 1, definition.steps.indices.contains(step - 1) else { return false }
            return took(definition.requiredStep(before: step - 1)) && !took(step - 1) && chain.depth < step
        }
    }
}

extension FunnelAccumulator {
    consuming func members(_ selection: FunnelPeople.Selection, _ reading: ReadResult) -> FunnelPeople {
        var all = finish(reading)
        all.dataEnd = dataEnd(0)
        let definition = definitions[0]
        var members: [FunnelPeople.Member] = []
        forEachChain(0, definition.starts == .mature ? .mature : .all) { key, chain, group, _ in
            guard selection.includes(chain, of: definition) else { return }
            members.append(
                FunnelPeople.Member(
                    key: keyTexts.text(withFingerprint: key), startMilliseconds: chain.start,
                    lastMilliseconds: chain.times[chain.depth - 1], depth: chain.depth,
                    value: group == 0 ? nil : String(decoding: valueBytes(0, group), as: UTF8.self)))
        }
        members.sort {
            ($0.startMilliseconds, ExactText($0.key), $0.depth, $0.lastMilliseconds, ExactText($0.value ?? ""))
                < ($1.startMilliseconds, ExactText($1.key), $1.depth, $1.lastMilliseconds, ExactText($1.value ?? ""))
        }
        return FunnelPeople(
            definition: definition, selection: selection, members: members, input: input(0, all), unseenNames: unseenNames(0),
            unseenPaths: unseenPaths(0))
    }
}
