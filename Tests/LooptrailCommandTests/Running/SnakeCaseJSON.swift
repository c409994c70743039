import Foundation

extension Decodable {
    /// Reads JSON whose keys are the properties' names in snake case, as the command writes them.
    init(snakeCase json: String) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(Self.self, from: Data(json.utf8))
    }
}
