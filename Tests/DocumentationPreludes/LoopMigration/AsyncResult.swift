struct Joke {}
struct Jokes { func all() async throws -> [Joke] { [] } }
struct Services { let jokes = Jokes() }
struct State { var isLoading = false }
enum Event { case loaded(Joke?) }
typealias Feedback = LoopCore.Feedback<State, Event>
let services = Services()
