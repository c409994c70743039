import LoopLogging
import Testing

/// What is made of values by reflection alone. Plans make the same of them, when a type is new and when it is known, and so does a log that is
/// to reflect.
func agreed<State, Event, Made: Equatable>(
    _ values: LogValues<State, Event>, sourceLocation: SourceLocation = #_sourceLocation, _ make: (LogValues<State, Event>) -> Made
) -> Made {
    let reflected = make(values)
    for reflection in [LogReflection.inPlace, .mirror] {
        var kept = values
        kept.reflection = reflection
        kept = kept.keepingPlans()
        #expect(make(kept) == reflected, sourceLocation: sourceLocation)
        #expect(make(kept) == reflected, sourceLocation: sourceLocation)
    }
    return reflected
}
