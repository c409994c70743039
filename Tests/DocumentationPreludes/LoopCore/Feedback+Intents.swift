struct State { var isStale = false }
enum Event { case refresh, open(String), found([Product]) }
typealias Feedback = LoopCore.Feedback<State, Event>
