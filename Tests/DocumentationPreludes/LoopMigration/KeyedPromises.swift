struct Prices { var prices: [String: Promise<Int>] = [:] }
struct PriceLoaded { var promise: [String: Promise<Int>] = [:] }
let action = PriceLoaded()
var state = Prices()
