enum State { case start, loading, loaded(Product), failed(String) }
enum Event { case load(String), leave }
