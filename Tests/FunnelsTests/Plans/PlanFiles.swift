import EventFiles
import Foundation
import TrackingPlans

@testable import Funnels

/// A folder of plain event files, and a plan.
final class PlanFiles {
    static let plan = #"""
        {"plan":1,"name":"Shop",
         "events":{
          "cart_added":{"props":{
            "sku":{"type":"string"},
            "items":{"type":"int","min":1,"max":99},
            "price":{"type":"number","optional":true},
            "plan":{"type":"string","values":["free","pro"]},
            "first":{"type":"bool","optional":true},
            "mail":{"type":"string","sensitive":true}}},
          "order_placed":{"props":{"order.id":{"type":"string"},"order.total":{"type":"number","min":0},"tags":{"type":"array","optional":true},
            "extra":{"type":"object","optional":true}}},
          "opened":{},
          "basket_filled":{"deprecated":"use cart_added","props":{}}},
         "shared":{"experiment":{"type":"string","optional":true}},
         "session":{"app_version":{"type":"string"},"platform":{"type":"string","values":["ios","linux"]}}}
        """#

    static func plan(_ text: String = plan) throws -> TrackingPlan { try TrackingPlan(Array(text.utf8)) }

    static let sound = #"{"sku":"A1","items":2,"price":9.5,"plan":"pro","first":true,"mail":"***"}"#

    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "plans-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    func write(_ name: String, _ lines: [String]) throws -> String {
        let path = "\(folder)/\(name)"
        try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    static func line(_ name: String, _ time: Int, session: String = "s1", id: String? = nil, props: String) -> String {
        #"{"v":1,"t_ms":\#(time),"name":"\#(name)","user":"u","session":"\#(session)""# + (id.map { #","id":"\#($0)""# } ?? "")
            + #","props":\#(props)}"#
    }

    static func session(_ session: String, version: String?, more: String = #","platform":"ios""#, id: String? = nil) -> String {
        let version = version.map { #""app_version":"\#($0)""# } ?? #""sample_rate":0.5"#
        return #"{"v":1,"t_ms":1,"name":"session_started","session":"\#(session)","type":"meta""# + (id.map { #","id":"\#($0)""# } ?? "")
            + #","props":{\#(version)\#(more)}}"#
    }

    func check(_ plan: TrackingPlan, range: TimeRange = .all, threads: Int = 2) throws -> PlanCheckResult {
        try PlanCheckRun(plan, range: range).answer(reading: EventFileReader(paths: [folder]), threads: threads).answer
    }

    func infer(_ name: String = "Shop") throws -> PlanInferenceRun.Draft {
        try PlanInferenceRun(name: name).answer(reading: EventFileReader(paths: [folder])).answer
    }
}
