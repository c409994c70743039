import Basics

/// What sends telemetry, as OpenTelemetry names it.
public struct OTLPResource: Sendable, Hashable {
    /// The attribute `service.name`.
    public let service: String
    /// Others, by their semantic conventions: `service.version`, `deployment.environment.name`.
    public let attributes: [String: String]

    public init(service: String, attributes: [String: String] = [:]) {
        self.service = service
        self.attributes = attributes
    }

    /// The value of a `resource` key and those of its scope.
    func append(to json: inout JSONWriter) {
        json.key("resource")
        json.object { json in
            json.key("attributes")
            json.attributes([("service.name", service)] + attributes.filter { $0.key != "service.name" }.sorted { $0.key < $1.key })
        }
    }
}
