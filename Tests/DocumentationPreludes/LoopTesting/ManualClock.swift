struct State { var pollInterval: Duration? }
enum Event { case poll }
nonisolated func reduce(state: inout State, event: Event) {}
