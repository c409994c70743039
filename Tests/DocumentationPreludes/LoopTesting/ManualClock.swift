struct State { var pollInterval: Duration? }
enum Event { case poll }
