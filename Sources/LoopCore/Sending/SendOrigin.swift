/// The place in the source that sent an event.
public struct SendOrigin: Sendable, CustomStringConvertible {
    /// Module and file, as `#fileID` gives them.
    public let fileID: StaticString
    public let line: UInt

    @inlinable
    package init(fileID: StaticString = #fileID, line: UInt = #line) { (self.fileID, self.line) = (fileID, line) }

    /// `Shop/Cart.swift:42`
    public var description: String { "\(fileID):\(line)" }
}
