struct Plan: Equatable { var name = "free" }
struct Account { var plan = Plan() }
enum Choice { case plan(Plan) }
let system = System(initialState: Account()) { (account: inout Account, choice: Choice) in }
