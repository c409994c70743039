import Foundation

/// The part of a funnel's JSON that tests look at.
struct FunnelJSON: Decodable {
    struct Step: Decodable {
        struct Times: Decodable {
            var n: Int
            var mean: Double
        }

        var count: Int
        var fromPrevious: Times?
        var fromFirst: Times?

        enum CodingKeys: String, CodingKey {
            case count
            case fromPrevious = "from_previous_ms"
            case fromFirst = "from_first_ms"
        }
    }

    struct Group: Decodable {
        var value: String
        var steps: [Step]
    }

    var steps: [Step]
    var groups: [Group]

    init(_ text: String) throws { self = try JSONDecoder().decode(FunnelJSON.self, from: Data(text.utf8)) }
}
