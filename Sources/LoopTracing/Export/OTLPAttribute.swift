import Basics

/// Attributes as OTLP writes them, of resources, points and spans.
extension JSONWriter {
    mutating func attribute(_ attribute: SpanAttribute) {
        object { json in
            json.member("key", attribute.key)
            json.object("value") { json in
                switch attribute.value {
                case .string(let text):
                    json.member("stringValue", text)
                case .int(let number):
                    json.member("intValue", String(number))
                case .bool(let truth):
                    json.member("boolValue", truth)
                }
            }
        }
    }

    mutating func attributes(_ attributes: [(String, String)]) {
        array("attributes", attributes) { $0.attribute(SpanAttribute(key: $1.0, value: .string($1.1))) }
    }
}
