/// What a page of `looptrail explore` holds of the events.
///
/// Memory: about 60 bytes for each event of eight properties, one byte more for each further property that events of the same name have,
/// each different value once, and the reader's buffers. Time: O(bytes + events + that memory), if each user's events stand nearly in order.
package struct ExploreDefinition: EventQuestion {
    package typealias Property = FunnelBreakdown.Property

    /// A value that fewer users have is not in the page, except values of ``exact``, and `true`, `false` and the empty text where so many
    /// users have the property. 1 or less keeps every value.
    package var minimumUsers = 5
    /// With more events than this the page holds a sample of whole users; `nil` for all events, however many.
    package var mostEvents: Int? = 2_000_000
    /// The properties that the page holds; `nil` for all.
    package var only: Set<Property>?
    package var without: Set<Property> = []
    /// Properties all of whose values the page holds, however few users have one.
    package var exact: Set<Property> = []
    /// Whether `identified` lines join an anonymous id to its user.
    package var identify = true
    package var keepsIDs = false
    package var cohort = CohortFilter.everyone

    /// The calendar's days; those of UTC unless it is set.
    package var days = CalendarPeriods(start: { FunnelRun.dayOfUTC($0).lowerBound }, next: { FunnelRun.dayOfUTC($0).upperBound })

    package init() {}

    package var pass: EventPass<ExplorePayload> {
        var needs = SummaryNeeds(allPropertiesOf: nil, cohort: cohort)
        needs.session = true
        return EventPass(needs, into: { ExploreBatch(self, expecting: $0) }) { ExploreAccumulator(self) }
    }

    func holds(_ property: Property) -> Bool { only?.contains(property) ?? true && !without.contains(property) }
}

extension ExploreDefinition.Property {
    package init(path: [String], in source: PropertySource) { self.init(source: source, path: path) }

    /// The properties of a text such as `plan,props.total,session.platform`.
    ///
    /// - Throws: ``GrammarError`` with the column of the first thing that does not fit.
    package static func list(_ text: String) throws(GrammarError) -> [Self] {
        var (grammar, list) = (StepGrammar(text, subject: "property"), [Self]())
        repeat { list.append(try grammar.property(before: ",")) } while grammar.cursor.take(",")
        return list
    }
}
