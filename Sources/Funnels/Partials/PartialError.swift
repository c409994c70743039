/// Why a file is no part of a result, or not of this one.
public enum PartialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The bytes are not of the kind that was expected.
    case foreign(expected: String)
    /// A version that this program does not read.
    case version(Int, expected: Int)
    /// The bytes end before they should, or were changed on the way. The damage was found at the offset.
    case damaged(offset: Int)
    /// The bytes are as they were written, but their definition is none that this program reads.
    case unknownDefinition
    /// A part of another definition, context or time zone than the first.
    case unlike
    /// A part of a split into another number of parts than the first.
    case otherSplit(Int, expected: Int)
    /// Another partial has the same part.
    case repeated(part: Int, of: Int)
    /// The quality of a split that was added before.
    case repeatedSplit
    /// Lines to count that do not say which part they are.
    case unmarked
    /// Lines to count as one part that are of two.
    case mixed(FunnelPart, FunnelPart)
    /// Parts none of which says how much was read.
    case noQuality
    /// Parts that are not there, by their numbers from 1.
    case missing([Int], of: Int)
    /// A part, or all of them together, with more or fewer lines than the splits gave out.
    case lines(part: Int?, counted: Int, given: Int)
    /// The definition, in the words of the flags, asks for what no part can know.
    case refused(String)

    public var description: String {
        switch self {
        case .foreign(let expected): "this is not \(expected)"
        case .version(let version, let expected):
            "this is of version \(version), and version \(expected) is read: make all parts with one version of looptrail"
        case .damaged(let offset): "this was cut or changed on its way (byte \(offset)): make it again"
        case .unknownDefinition: "another version made this, and its definition cannot be read: make all parts with one version"
        case .unlike: "this belongs to another definition or context than the first, or another time zone: only parts of one context merge"
        case .otherSplit(let count, let expected):
            "this is of \(count) parts and the first of \(expected): only parts of one split can be merged"
        case .repeated(let part, let count): "part \(part) of \(count) is there already: give each part once"
        case .repeatedSplit: "the quality of this split is there already: give it once"
        case .unmarked: "the lines do not say which part they are: give the lines of `looptrail cluster split`, or say it with --part K/N"
        case .mixed(let one, let other): "the lines are of \(one) and of \(other): count each part for itself"
        case .noQuality: "none of the parts says what was read: give the quality file of each `looptrail cluster split`, too"
        case .missing(let parts, let count):
            "of \(count) parts \(Self.words(parts)) \(parts.count == 1 ? "is" : "are") missing: give the partial of each"
        case .lines(let part, let counted, let given):
            "\(part.map { "part \($0) has" } ?? "the parts have") \(counted) events, and `looptrail cluster split` gave out \(given): give the whole of "
                + "each part, and the quality file of each split"
        case .refused(let asked): "no part can count \(asked) without the other parts: use `looptrail funnel`"
        }
    }

    /// `1, 2 and 5`, and of many the first ten.
    private static func words(_ parts: [Int]) -> String {
        if parts.count > 10 { return parts.prefix(10).map(String.init).joined(separator: ", ") + " and \(parts.count - 10) more" }
        let before = parts.dropLast().map(String.init).joined(separator: ", ")
        return before.isEmpty ? "\(parts[0])" : "\(before) and \(parts[parts.count - 1])"
    }
}
