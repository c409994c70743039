import EventFiles
import Testing
import TrackingPlans

@testable import Funnels

@Suite struct PlannedPathsRunTests {
    private func unplanned(_ funnel: String, _ lines: [String] = []) throws -> [String] {
        let files = try PlanFiles()
        try files.write("a.ndjson", lines)
        let definitions = try SavedFunnel.all(Array(funnel.utf8)).map { try $0.definition() }
        return try PlannedPathsRun(PlanFiles.plan(), asking: definitions).answer(reading: EventFileReader(paths: [files.folder])).answer
            .map { "\($0.event ?? "*") \($0.path) \($0.nearest ?? "")" }
    }

    @Test(
        arguments: [
            (#"{"steps":"cart_added[sku=A1, experiment=b] > order_placed[order.id=7, extra.any=1]"}"#, []),
            (#"{"steps":"cart_added[skq=A1] > opened"}"#, ["cart_added props.skq props.sku"]),
            (#"{"steps":"cart_added > order_placed[sku=1]"}"#, ["order_placed props.sku "]),
            (#"{"steps":"cart_added > opened","exclude":["order_placed[order.ix=1]"]}"#, ["order_placed props.order.ix props.order.id"]),
            (#"{"steps":"cart_added > opened","by":"props.sku"}"#, ["opened props.sku "]),
            (#"{"steps":"cart_added > opened","breakdown":"props.plan"}"#, []),
            (#"{"steps":"cart_added > opened","breakdown":"props.pln"}"#, ["* props.pln props.plan"]),
            (#"[{"steps":"opened","breakdown":"props.pln"},{"steps":"*","breakdown":"props.pln"}]"#, ["* props.pln props.plan"]),
            (#"{"steps":"cart_added > opened","breakdown":"props.sku:all"}"#, ["opened props.sku "]),
            (#"{"steps":"cart_added > opened","breakdown":"props.sku:step=1"}"#, []),
            (#"{"steps":"cart_added > opened","breakdown":"props.sku:step=2"}"#, ["opened props.sku "]),
            (#"{"steps":"* > opened","breakdown":"props.plan:last"}"#, []),
            (#"{"steps":"* > opened","breakdown":"props.plam"}"#, ["* props.plam props.plan"]),
            (#"{"steps":"cart_added > opened","hold":"props.sku"}"#, ["opened props.sku "]),
            (#"{"steps":"cart_added[session.skq=1] > opened","breakdown":"session.skq","by":"session.skq"}"#, []),
            (#"{"steps":"cart_added[skq=1] > cart_added[skq=2]"}"#, ["cart_added props.skq props.sku"]),
            (#"{"steps":"cart_added > *[itemz=1]"}"#, ["* props.itemz props.items"]),
            (#"{"steps":"unknown[x=1] > opened"}"#, []),
        ] as [(String, [String])])
    func `paths that the plan does not have are named with the nearest`(funnel: String, paths: [String]) throws {
        #expect(try unplanned(funnel) == paths)
    }

    @Test func `where the plan has everything no file need be read, and without files the plan alone answers`() throws {
        func run(_ steps: String) throws -> PlannedPathsRun {
            PlannedPathsRun(try PlanFiles.plan(), asking: [try FunnelDefinition(steps: FunnelStep.parse(steps))])
        }
        #expect(try run("cart_added[sku=1, price>2] > opened[experiment=b]").isAnswered)
        let asking = try run("cart_added[skq=1] > unheard[a=1] > opened")
        #expect(!asking.isAnswered)
        #expect(asking.unplanned.map { "\($0.event ?? "*") \($0.path) \($0.nearest ?? "")" } == ["cart_added props.skq props.sku"])
    }

    @Test func `paths that the data has are known, too`() throws {
        let lines = [PlanFiles.line("opened", 1, props: #"{"from":{"link":"x"}}"#), PlanFiles.line("strange", 1, props: #"{"a":1}"#)]
        #expect(try unplanned(#"{"steps":"opened[from.link=x] > strange[a=1]"}"#, lines) == [])
        #expect(
            try unplanned(#"{"steps":"opened[from.lnk=x] > strange[b=1]"}"#, lines) == [
                "opened props.from.lnk props.from.link", "strange props.b props.a",
            ])
    }
}
