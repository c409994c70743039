import Foundation
import TestSupport
import Testing

@testable import looptrail

@Suite struct ManualPageTests {
    private static let groff = InstalledProgram("groff")

    @Test func `the page names every command, flag and exit status`() throws {
        let page = try Child.looptrail(["help", "--man"]).output
        #expect(page.hasPrefix(".TH \"LOOPTRAIL\" \"1\""))
        for command in Looptrail.everyCommand {
            #expect(page.contains(".SS \"looptrail \(command.name)"))
            for flag in command.listedFlags { #expect(page.contains(flag.dashed.replacing("-", with: "\\-"))) }
        }
        for status in ExitStatus.allCases { #expect(page.contains("\\fB\(status.rawValue)\\fR\n")) }
    }

    @Test(arguments: Looptrail.everyCommand.map(\.name))
    func `every command has a page of its own`(_ name: String) throws {
        let result = try Child.looptrail(["help"] + name.split(separator: " ").map(String.init) + ["--man"])
        #expect(result.status == 0)
        #expect(result.output.hasPrefix(".TH \"LOOPTRAIL\\-\(name.uppercased().replacingOccurrences(of: " ", with: "\\-"))\" \"1\""))
    }

    @Test(.enabled(if: groff.isExpected))
    func `groff sets the page without a complaint`() throws {
        let page = try Child.looptrail(["help", "--man"]).output
        let (_, text, warnings) = try Self.groff.run(["-man", "-ww", "-Tascii", "-P-cbou"], input: page)
        #expect(warnings == "")
        #expect(text.contains("looptrail funnel [PATH...] [flags]"))
        #expect(text.contains("--window TIME"))
        // The example can be copied as it stands.
        #expect(text.contains("looptrail funnel events/ --steps 'product_viewed > cart_added"))
    }

    @Test func `a page of an unknown command is a usage error`() throws {
        #expect(try Child.looptrail(["help", "fnnel", "--man"]).status == 2)
    }

    @Test func `what roff would act on is escaped`() {
        var writer = RoffWriter()
        writer.paragraphs([".SH evil", "'br", #"a\fBb"#, "two\nlines", "-o ~ ^ ` \""])
        #expect(
            writer.text == """
                .PP
                \\&.SH evil
                .PP
                \\(aqbr
                .PP
                a\\efBb
                .PP
                two lines
                .PP
                \\-o \\(ti \\(ha \\(ga \\(dq

                """)
    }
}
