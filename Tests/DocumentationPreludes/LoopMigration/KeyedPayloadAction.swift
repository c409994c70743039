struct Prices { func price(of sku: String) async throws -> Int { 0 } }
let api = Prices()
