let system = System(initialState: Shop.State.start, reducer: Shop.reduce)
func render(_ state: Shop.State) {}
