struct State { var isStale = false }
enum Event { case refresh }
typealias Feedback = LoopCore.Feedback<State, Event>
