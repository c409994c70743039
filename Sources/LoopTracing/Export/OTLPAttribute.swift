import Basics

/// A key and a value of a resource, a point or a span.
struct OTLPAttribute {
    enum Value {
        case string(String)
        case int(Int64)
        case bool(Bool)
    }

    let key: String
    let value: Value

    init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }
}

extension JSONWriter {
    mutating func attribute(_ attribute: OTLPAttribute) {
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
        array(attributes) { $0.attribute(OTLPAttribute($1.0, .string($1.1))) }
    }
}
