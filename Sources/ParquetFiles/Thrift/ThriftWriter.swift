import Basics

/// Writes Thrift's compact protocol: fields by rising number.
struct ThriftWriter {
    let output: ByteBuffer
    private var lastField: Int16 = 0

    init(to output: ByteBuffer) { self.output = output }

    mutating func fields(_ body: (inout ThriftWriter) -> Void) {
        let enclosing = lastField
        lastField = 0
        body(&self)
        output.append(0)
        lastField = enclosing
    }

    mutating func int32(_ field: Int16, _ value: Int64) { integer(field, .int32, value) }
    mutating func int64(_ field: Int16, _ value: Int64) { integer(field, .int64, value) }

    private mutating func integer(_ field: Int16, _ type: ThriftType, _ value: Int64) {
        header(field, type)
        output.appendZigzag(value)
    }

    mutating func binary(_ field: Int16, _ bytes: some Collection<UInt8>) {
        header(field, .binary)
        binary(bytes)
    }

    mutating func structure(_ field: Int16, _ body: (inout ThriftWriter) -> Void) {
        header(field, .structure)
        fields(body)
    }

    mutating func structures<Elements: Collection>(
        _ field: Int16, _ elements: Elements, _ body: (inout ThriftWriter, Elements.Element) -> Void
    ) { list(field, .structure, elements) { writer, element in writer.fields { body(&$0, element) } } }

    mutating func int32s(_ field: Int16, _ values: [Int64]) { list(field, .int32, values) { $0.output.appendZigzag($1) } }
    mutating func binaries(_ field: Int16, _ values: [String]) { list(field, .binary, values) { $0.binary($1.utf8) } }

    private mutating func list<Elements: Collection>(
        _ field: Int16, _ type: ThriftType, _ elements: Elements, _ write: (inout ThriftWriter, Elements.Element) -> Void
    ) {
        header(field, .list)
        output.append(UInt8(min(elements.count, 15)) << 4 | type.rawValue)
        if elements.count >= 15 { output.appendVarint(UInt64(elements.count)) }
        for element in elements { write(&self, element) }
    }

    private mutating func header(_ field: Int16, _ type: ThriftType) {
        let step = field - lastField
        if (1...15).contains(step) {
            output.append(UInt8(step) << 4 | type.rawValue)
        } else {
            output.append(type.rawValue)
            output.appendZigzag(Int64(field))
        }
        lastField = field
    }

    private func binary(_ bytes: some Collection<UInt8>) {
        output.appendVarint(UInt64(bytes.count))
        output.append(bytes)
    }
}
