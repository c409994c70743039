import Basics

/// Attributes as OTLP writes them, of resources, points and spans.
extension JSONWriter {
    mutating func attribute(_ attribute: SpanAttribute) {
        object { json in
            json.key("key")
            json.string(attribute.key)
            json.key("value")
            json.object { json in
                switch attribute.value {
                case .string(let text):
                    json.key("stringValue")
                    json.string(text)
                case .int(let number):
                    json.key("intValue")
                    json.string(String(number))
                case .bool(let truth):
                    json.key("boolValue")
                    json.bool(truth)
                }
            }
        }
    }

    mutating func attributes(_ attributes: [(String, String)]) {
        array(attributes) { $0.attribute(SpanAttribute(key: $1.0, value: .string($1.1))) }
    }
}
