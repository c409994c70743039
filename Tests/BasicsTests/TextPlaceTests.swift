import Basics
import Testing

@Suite struct TextPlaceTests {
    @Test(
        arguments: [
            ("", 0, 1, 1), ("ab", 0, 1, 1), ("ab", 1, 1, 2), ("ab", 2, 1, 3), ("ab", 9, 1, 3), ("a\nb", 1, 1, 2), ("a\nb", 2, 2, 1),
            ("äö", 2, 1, 2), ("\n\n", 2, 3, 1), ("\u{FEFF}ab", 0, 1, 1), ("\u{FEFF}ab", 4, 1, 2), ("\u{FEFF}a\nb", 6, 2, 2),
        ] as [(String, Int, Int, Int)])
    func `lines and columns count from 1, columns in characters`(text: String, offset: Int, line: Int, column: Int) {
        let place = TextPlace(ofByte: offset, in: Array(text.utf8))
        #expect(place.line == line && place.column == column)
    }
}
