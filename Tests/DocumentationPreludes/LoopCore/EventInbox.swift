enum Event { case received(String) }
let system = System(initialState: "") { (text: inout String, event: Event) in }
