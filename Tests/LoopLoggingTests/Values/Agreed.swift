import LoopLogging
import Testing

/// What is made of values by reflection alone. Plans make the same of them, when a type is new and when it is known.
func agreed<State, Event, Made: Equatable>(
    _ values: LogValues<State, Event>, sourceLocation: SourceLocation = #_sourceLocation, _ make: (LogValues<State, Event>) -> Made
) -> Made {
    let reflected = make(values)
    let planning = values.keepingPlans()
    #expect(make(planning) == reflected, sourceLocation: sourceLocation)
    #expect(make(planning) == reflected, sourceLocation: sourceLocation)
    return reflected
}
