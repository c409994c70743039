/// Why a file is no part of a result, or not of this one.
public enum PartialError: Error, Sendable, Hashable {
    /// The bytes do not begin as any file of parts does.
    case foreign(expected: String)
    /// A version that this program does not read.
    case version(Int, newest: Int)
    /// The bytes end before they should, or were changed on the way; where it showed.
    case damaged(offset: Int)
    /// A part of another definition or context than the first.
    case unlike
    /// Parts without the quality of what was read.
    case noQuality
    /// The definition, in the words of the flags, asks for what no part can know.
    case refused(String)
}

extension PartialError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .foreign(let expected): "this is not \(expected)"
        case .version(let version, let newest):
            "this is of version \(version), and versions up to \(newest) are read: make all parts with one version of looptrail"
        case .damaged(let offset): "this was cut or changed on its way (byte \(offset)): make it again"
        case .unlike: "this belongs to another definition or context than the first: only parts of one context can be merged"
        case .noQuality: "none of the parts says what was read: give the quality file of each `looptrail split`, too"
        case .refused(let part): "no part can count \(part): use `looptrail funnel`"
        }
    }
}
