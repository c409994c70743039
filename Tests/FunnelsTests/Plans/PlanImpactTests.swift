import Testing
import TrackingPlans

@testable import Funnels

/// Which places of saved funnels a change of plan breaks.
@Suite struct PlanImpactTests {
    private static let old = #"""
        {"plan":1,"name":"T","events":{
          "view":{"props":{"price":{"type":"number"},"plan":{"type":"string","values":["free","pro","gold"]},"where.city":{"type":"string"}}},
          "add":{"props":{"items":{"type":"int","min":1,"max":9},"plan":{"type":"string"},"gift":{"type":"bool"}}},
          "pay":{"props":{"total":{"type":"number"}}}},
         "shared":{"variant":{"type":"string","optional":true}},
         "session":{"platform":{"type":"string"},"plan":{"type":"string"}}}
        """#

    private func impacts(_ changes: [(String, String)], _ funnels: String) throws -> [String] {
        var new = Self.old
        for (from, to) in changes {
            try #require(new.contains(from))
            new = new.replacing(from, with: to)
        }
        return PlanImpact.all(
            from: try PlanFiles.plan(Self.old), to: try PlanFiles.plan(new), on: try WrittenFunnel.all(Array(funnels.utf8))
        ).map { "\($0.funnel) \($0.part) \($0.step ?? 0):\($0.column) \($0.text): \($0.reason)" }
    }

    private static let rename = ("\"add\":", "\"added\":")
    private static let lessGold = ("[\"free\",\"pro\",\"gold\"]", "[\"free\",\"pro\"]")

    @Test(
        arguments: [
            ([], #"{"steps":"view > add > pay"}"#, []),
            ([rename], #"{"name":"F","steps":"view > add > pay"}"#, ["F steps 2:8 add: event `add` is removed, renamed to `added`?"]),
            (
                [rename], #"{"steps":"view > (\"add\" | pay)[total>1]"}"#,
                [
                    "funnel 1 steps 2:9 add: event `add` is removed, renamed to `added`?"
                ]
            ),
            (
                [rename], #"[{"steps":"view > pay"},{"steps":"view > pay","exclude":["! add@1-2"]}]"#,
                [
                    "funnel 2 exclusion(1) 0:3 add: event `add` is removed, renamed to `added`?"
                ]
            ),
            ([rename], #"{"steps":"view > *"}"#, []),
            // A test that some event can still pass is not broken for `*`, whatever other events lose.
            ([(#""plan":{"type":"string","values":["free","pro","gold"]},"#, "")], #"{"steps":"*[plan=silver] > pay"}"#, []),
            (
                [(#""max":9"#, #""max":5"#), (#""pay":"#, #""bulk":{"props":{"items":{"type":"int"}}},"pay":"#)],
                #"{"steps":"*[items>5] > pay"}"#, []
            ),
            ([(#""plan":{"type":"string","values":["free","pro","gold"]},"#, "")], #"{"steps":"* > add","by":"props.plan"}"#, []),
            (
                [(#""max":9"#, #""max":5"#)], #"{"steps":"*[items>5] > pay"}"#,
                ["funnel 1 steps 1:3 items>5: property `items` of `add` has another range"]
            ),
            (
                [(#""add":{"props":{"items":{"type":"int","min":1,"max":9},"plan":{"type":"string"},"gift":{"type":"bool"}}},"#, "")],
                #"{"steps":"*[items>5] > pay"}"#, ["funnel 1 steps 1:3 items>5: property `items` of `add` is removed"]
            ),
            // A test that no planned value could pass has lost nothing.
            ([(#""price":{"type":"number"},"#, "")], #"{"steps":"view[price=many] > pay"}"#, []),
            (
                [(#""price":{"type":"number"},"#, "")], #"{"steps":"view[plan=pro, price>=10] > pay"}"#,
                [
                    "funnel 1 steps 1:16 price>=10: property `price` of `view` is removed"
                ]
            ),
            ([(#""price":{"type":"number"},"#, "")], #"{"steps":"add > pay[total>1]"}"#, []),
            ([(#""price":{"type":"number"}"#, #""price":{"type":"string"}"#)], #"{"steps":"view[price>=10] > pay"}"#, []),
            (
                [(#""price":{"type":"number"}"#, #""price":{"type":"object"}"#)], #"{"steps":"view[price>=10] > pay"}"#,
                [
                    "funnel 1 steps 1:6 price>=10: property `price` of `view` is object and was number"
                ]
            ),
            (
                [(#""price":{"type":"number"}"#, #""price":{"type":"int"}"#)], #"{"steps":"view[price=9.5] > view[price=9]"}"#,
                [
                    "funnel 1 steps 1:6 price=9.5: property `price` of `view` is int and was number"
                ]
            ),
            (
                [(#""gift":{"type":"bool"}"#, #""gift":{"type":"int"}"#)], #"{"steps":"view > add[gift=true]"}"#,
                [
                    "funnel 1 steps 2:12 gift=true: property `gift` of `add` is int and was bool"
                ]
            ),
            (
                [lessGold], #"{"steps":"view[plan=gold] > pay"}"#,
                ["funnel 1 steps 1:6 plan=gold: property `plan` of `view` has other values"]
            ),
            ([lessGold], #"{"steps":"view[plan=pro] > add[plan=gold]"}"#, []),
            (
                [(#""max":9"#, #""max":5"#)], #"{"steps":"add[items>5] > pay"}"#,
                [
                    "funnel 1 steps 1:5 items>5: property `items` of `add` has another range"
                ]
            ),
            (
                [(#""max":9"#, #""max":5"#)],
                #"{"steps":"add[items>=5] > add[items>4] > add[items<=5] > add[items!=5] > add[items=5] > add[items~7] > add[items>9]"}"#,
                []
            ),
            (
                [(#""max":9"#, #""max":5"#)], #"{"steps":"add[items>=6] > add[items=6]"}"#,
                [
                    "funnel 1 steps 1:5 items>=6: property `items` of `add` has another range",
                    "funnel 1 steps 2:21 items=6: property `items` of `add` has another range",
                ]
            ),
            (
                [(#""min":1,"max":9"#, #""min":2,"max":2"#)],
                #"{"steps":"add[items!=2] > add[items<=1] > add[items<=2, items>1, items<3]"}"#,
                [
                    "funnel 1 steps 1:5 items!=2: property `items` of `add` has another range",
                    "funnel 1 steps 2:21 items<=1: property `items` of `add` has another range",
                ]
            ),
            // A value that the property could never have is not lost.
            ([(#""max":9"#, #""max":5"#)], #"{"steps":"add[items=6.5] > add[items~x] > add[items=many] > add[items<many]"}"#, []),
            ([(#""gift":{"type":"bool"}"#, #""gift":{"type":"int"}"#)], #"{"steps":"view > add[gift=maybe]"}"#, []),
            (
                [(#""gift":{"type":"bool"}"#, #""gift":{"type":"bool","sensitive":true}"#)], #"{"steps":"view > add[gift!=true]"}"#,
                ["funnel 1 steps 2:12 gift!=true: property `gift` of `add` is sensitive now"]
            ),
            (
                [(#""plan":{"type":"string"},"#, "")], #"{"steps":"view > add > pay","breakdown":"props.total, props.plan:all"}"#,
                ["funnel 1 breakdown 2:14 props.plan: property `plan` of `add` is removed"]
            ),
            (
                [(#""platform":{"type":"string"}"#, #""platform":{"type":"string","sensitive":true}"#)],
                #"{"steps":"view > pay","by":"session.platform","breakdown":"session.plan"}"#,
                ["funnel 1 key 0:1 session.platform: property `platform` of the session is sensitive now"]
            ),
            (
                [(#""platform":{"type":"string"},"#, "")], #"{"steps":"view > pay[session.platform=ios]","breakdown":"session.version"}"#,
                ["funnel 1 steps 2:12 session.platform=ios: property `platform` of the session is removed"]
            ),
            (
                [(#""min":1,"max":9"#, #""min":3"#)], #"{"steps":"add[items<3] > add[items=2]"}"#,
                [
                    "funnel 1 steps 1:5 items<3: property `items` of `add` has another range",
                    "funnel 1 steps 2:20 items=2: property `items` of `add` has another range",
                ]
            ),
            (
                [(#""where.city":{"type":"string"}"#, #""city":{"type":"string"}"#)], #"{"steps":"view[where.city=Rome] > pay"}"#,
                [
                    "funnel 1 steps 1:6 where.city=Rome: property `where.city` of `view` is removed"
                ]
            ),
            (
                [(#""where.city":{"type":"string"}"#, #""where.city":{"type":"string","sensitive":true}"#)],
                #"{"steps":"view > pay","breakdown":"props.where.city"}"#,
                [
                    "funnel 1 breakdown 0:1 props.where.city: property `where.city` of `view` is sensitive now"
                ]
            ),
            ([lessGold, (#""plan":{"type":"string"},"#, "")], #"{"steps":"view > add","breakdown":"props.plan:last"}"#, []),
            (
                [(#""plan":{"type":"string"},"#, "")], #"{"steps":"view > add","breakdown":"props.plan:step=2","by":"props.plan"}"#,
                [
                    "funnel 1 key 2:1 props.plan: property `plan` of `add` is removed",
                    "funnel 1 breakdown 2:1 props.plan: property `plan` of `add` is removed",
                ]
            ),
            (
                [(#""shared":{"variant":{"type":"string","optional":true}}"#, #""shared":{}"#)],
                #"{"steps":"view > pay[variant=b]","hold":"props.variant"}"#,
                [
                    "funnel 1 steps 2:12 variant=b: property `variant` of `pay` is removed",
                    "funnel 1 hold 1:1 props.variant: property `variant` of `view` is removed",
                    "funnel 1 hold 2:1 props.variant: property `variant` of `pay` is removed",
                ]
            ),
            (
                [(#""total":{"type":"number"}"#, #""total":{"type":"number","optional":true,"about":"x"}"#)],
                #"{"steps":"pay[total>1] > *[price>2]"}"#, []
            ),
            (
                [(#""price":{"type":"number"},"#, "")], #"{"steps":"pay > *[price>2]"}"#,
                [
                    "funnel 1 steps 2:9 price>2: property `price` of `view` is removed"
                ]
            ),
            (
                [(#","plan":{"type":"string"}}}"#, "}}")],
                #"{"steps":"view[session.plan=pro] > add[plan=pro]","breakdown":"session.plan","by":"session.platform"}"#,
                [
                    "funnel 1 steps 1:6 session.plan=pro: property `plan` of the session is removed",
                    "funnel 1 breakdown 0:1 session.plan: property `plan` of the session is removed",
                ]
            ),
        ] as [([(String, String)], String, [String])])
    func `a change breaks the places that it must, and no others`(changes: [(String, String)], funnels: String, broken: [String]) throws {
        #expect(try impacts(changes, funnels) == broken)
    }
}
