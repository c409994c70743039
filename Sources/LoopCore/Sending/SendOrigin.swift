/// The place in the source that sent an event.
public struct SendOrigin: Sendable, CustomStringConvertible {
    /// Module and file, as `#fileID` gives them.
    public let fileID: StaticString
    public let line: UInt

    @inlinable
    package init(fileID: StaticString, line: UInt) { (self.fileID, self.line) = (fileID, line) }

    /// The origin of an event that no line of code sent, such as that of an ``Effect/event(_:)``. Middleware sees `nil` in its place.
    @inlinable package static var unknown: SendOrigin { SendOrigin(fileID: "", line: 0) }
    @inlinable package var known: SendOrigin? { line == 0 ? nil : self }

    /// `Shop/Cart.swift:42`
    public var description: String { "\(fileID):\(line)" }
}
