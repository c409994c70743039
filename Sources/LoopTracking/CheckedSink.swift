public import TrackingEvents
public import TrackingPlans

extension TrackingSink {
    /// This sink, with every event checked against a tracking plan on its way: for events that are made by hand, not by a plan's type.
    ///
    /// ```swift
    /// let plan = try TrackingPlan(bytes)
    /// let tracker = Tracker(to: sink.checked(against: plan) { violation in print(violation) })
    /// ```
    /// Every event goes on to the sink, whatever is found.
    ///
    /// - Parameter found: called for each violation of an event that the sink took, one call at a time, as `ClosureSink` is.
    public func checked(against plan: TrackingPlan, _ found: @escaping @Sendable (PlanChecker.Violation) -> Void) -> some TrackingSink {
        let checker = PlanChecker(plan)
        return watched { checker.violations(of: $0).forEach(found) }
    }
}

extension PlanChecker {
    /// What is wrong with a tracked event or with the context of a session. The plan says nothing of other lines.
    package func violations(of event: StampedEvent) -> [Violation] {
        let isSession = event.kind == .meta && event.event.name == Self.sessionEvent
        guard isSession || event.kind == .track else { return [] }
        var properties: [(path: String, value: Value)] = []
        Self.add(event.event.properties, below: "", to: &properties)
        return violations(of: event.event.name, properties, isSession: isSession)
    }

    private static func add(_ object: TrackingProperties, below prefix: String, to all: inout [(path: String, value: Value)]) {
        for entry in object.entries {
            let path = prefix + entry.key
            all.append((path, Value(entry.value)))
            if case .object(let inner) = entry.value { add(inner, below: path + ".", to: &all) }
        }
    }
}

extension PlanChecker.Value {
    /// The value as an event file has it. A sensitive value counts as masked, whatever the sink's policy.
    fileprivate init(_ value: TrackingValue) {
        self =
            switch value {
            case .string(let text): .string(text)
            case .int(let number): number.magnitude <= UInt64(EventLineLimits.integerMagnitude) ? .integer(number) : .string("\(number)")
            case .double(let number): number.isFinite ? .number(number) : .null
            case .bool(let truth): .bool(truth)
            case .null: .null
            case .array: .array
            case .object: .object
            case .sensitiveValue: .string("***")
            }
    }
}
