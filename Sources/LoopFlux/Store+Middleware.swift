public import LoopCore

extension Store {
    /// Attaches the middleware of a `System`: logs, measurements and trackers work on a store as they are.
    ///
    /// Each sees the current state at once, in a step of the phase `.initial`, and then one `.settled` step for each action that this store
    /// took, whether or not it changed the state. A state that was set at another time makes a step without an event. Each store numbers
    /// its steps 1, 2, 3 … In the timing, `reduce` is the time of this store's reducers, `bindings` that of its observers.
    @discardableResult
    public func attach(_ middleware: Middleware<State, any Action>...) -> Self {
        let wasTimed = observers.needs.contains(.timing)
        for each in middleware {
            let attached = observers.attach(each)
            greet { attached.handle(Step(number: $1, event: nil, phase: .initial, state: $0)) }
        }
        if !wasTimed && observers.needs.contains(.timing) { dispatcher.timedStores += 1 }
        return self
    }

    /// Detaches middleware. It is not called again, not even in the step that is under way. One that is not attached is ignored.
    @discardableResult
    public func detach(_ middleware: Middleware<State, any Action>) -> Self {
        let wasTimed = observers.needs.contains(.timing)
        observers.detach(middleware)
        if wasTimed && !observers.needs.contains(.timing) { dispatcher.timedStores -= 1 }
        return self
    }
}
