import TrackingEvents

/// The properties of one event: the object on its line, or a summary's row, which gives single values without becoming an object.
struct EventProperties {
    private let object: UnsafeRawBufferPointer
    private let columns: Unmanaged<SummaryProperties>?
    private let row: Int

    /// - Parameter object: the object with its braces; empty where the line has none.
    init(_ object: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)) { (self.object, columns, row) = (object, nil, 0) }

    /// - Parameter columns: not retained; the caller must keep them.
    init(_ columns: SummaryProperties, row: Int) {
        (object, self.columns, self.row) = (UnsafeRawBufferPointer(start: nil, count: 0), .passUnretained(columns), row)
    }

    /// The object; that of a row is valid until the next row is asked for.
    var json: UnsafeRawBufferPointer { columns?._withUnsafeGuaranteedRef { $0.json(of: row) } ?? object }

    /// Calls `body` with the text at a path as ``TrackingEvents/PropertyReader/withText(in:_:)`` does.
    func withText<Result>(at path: PropertyReader, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        columns?._withUnsafeGuaranteedRef { $0.withText(at: path, of: row, body) } ?? path.withText(in: object, body)
    }

    /// Whether a test holds for a value in a summary's column; `nil` if the value stands elsewhere, or if there is none.
    func holds(_ test: CompiledTest) -> Bool? { columns?._withUnsafeGuaranteedRef { $0.holds(test, of: row) } ?? nil }

    func has(_ path: PropertyReader) -> Bool { columns != nil && withText(at: path) { $0 != nil } || path.value(in: json) != nil }
}

extension PropertyReader {
    /// Calls `body` with the value's text: a string's own, a number as on the line, `true` or `false`; `nil` if it is no such scalar.
    ///
    /// - Parameter properties: the object with its braces; empty where the line has none.
    func withText<Result>(in properties: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let value = value(in: properties), value.hasText else { return body(nil) }
        return value.withText(in: properties, body)
    }
}
