import Foundation
import Testing

/// `--format prom` of the command as a process of its own.
@Suite struct GaugeCallTests {
    private let steps = "viewed > added > paid"

    @Test func `a funnel's gauges, by format and by the file's ending`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let printed = try Child.looptrail(["funnel", path, "--steps", steps, "--format", "prom"])
        #expect(printed.status == 0 && printed.complaints == "")
        #expect(printed.output.contains("# TYPE looptrail_funnel_users gauge\n"))
        #expect(printed.output.contains("looptrail_funnel_users{funnel=\"viewed > added > paid\",step=\"3\"} 1\n"))
        #expect(printed.output.contains("looptrail_funnel_conversion_ratio{funnel=\"viewed > added > paid\"} 0.25\n"))
        #expect(printed.output.contains("looptrail_funnel_input_faults{funnel=\"viewed > added > paid\",kind=\"bad_lines\"} 0\n"))
        let file = folder.path("funnels.prom")
        #expect(try Child.looptrail(["funnel", path, "--steps", steps, "-o", file]).status == 0)
        #expect(folder.text("funnels.prom") == printed.output)
        let groups = try Child.looptrail(["report", path, "--steps", steps, "--breakdown", "props.price", "--format", "prom"]).output
        #expect(groups.contains("looptrail_funnel_group_users{funnel=\"viewed > added > paid\",group=\"10\",step=\"1\"} 1\n"))
    }

    @Test func `a note says that gauges let the other outputs count users`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let outputs = ["-o", folder.path("f.json"), "-o", folder.path("f.prom")]
        let words = ["funnel", path, "--steps", steps, "--breakdown", "props.price"] + outputs
        let said = "--count visits counts visits in all of them"
        #expect(try Child.looptrail(words).errors.contains(said) && folder.text("f.json")?.contains(#""count":"users""#) == true)
        #expect(try !Child.looptrail(words + ["--count", "visits"]).errors.contains(said))
        #expect(try !Child.looptrail(Array(words.dropLast(2))).errors.contains(said))
    }

    @Test func `a funnel that nobody entered has counts and no ratio`() throws {
        let output = try Child.looptrail(["funnel", "--steps", steps, "--format", "prom"], input: .pipe([])).output
        #expect(output.contains("step=\"1\"} 0\n") && !output.contains("\nlooptrail_funnel_conversion_ratio"))
    }

    @Test(arguments: [["events", "--format", "prom"], ["events", "-o", "x.prom"], ["check", "--format", "prom"]])
    func `a command without gauges refuses the format`(words: [String]) throws {
        let result = try Child.looptrail(words + ["nowhere"])
        #expect(result.status == 2 && result.output == "")
        #expect(
            result.errors.contains("`prom` is not one of")
                || result.errors.contains("only `looptrail funnel`, `looptrail trend` and `looptrail report`"))
    }

    @Test func `a flag without gauges is refused, and groups have gauges`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("e.ndjson", Events.shop)
        let compare = ["--compare", "2025-01-01..2026-01-01"]
        let calls = [
            (["funnel", path, "--steps", "viewed > added"] + compare, "--compare"),
            (["report", path, "--steps", "viewed > added"] + compare, "--compare"),
            (["report", path, "--steps", "viewed > added", "--every", "day"], "--every"),
            (["report", path, "--steps", "viewed > added", "--why"], "--why"),
        ]
        for (words, flag) in calls {
            for format in [["--format", "prom"], ["-o", folder.path("f.prom")]] {
                let result = try Child.looptrail(words + format)
                #expect(result.status == 2 && result.output == "")
                #expect(result.errors.contains("\(flag) has no gauges: leave it out, or take another format than prom"), "\(result.errors)")
            }
        }
        let groups = try Child.looptrail(["funnel", path, "--steps", "viewed > added", "--breakdown", "props.price", "--format", "prom"])
        #expect(groups.output.contains(#"looptrail_funnel_group_users{funnel="viewed > added",group="10",step="1"} 1"#))
    }
}
