import Testing

@testable import EventFiles

@Suite struct ChunkedArrayTests {
    @Test("elements keep their order and their indices across chunks", arguments: [0, 1, 511, 512, 513, 1_024, 3_000])
    func order(count: Int) {
        var array = ChunkedArray<Int>()
        for number in 0..<count { array.append(number * 3) }
        #expect(array.count == count)
        var back: [Int] = []
        array.forEach { back.append($0) }
        #expect(back == (0..<count).map { $0 * 3 })
        for place in stride(from: 0, to: count, by: 7) { #expect(array[place] == place * 3) }
        var chunks: [Int] = []
        let isFound = array.anyChunk {
            chunks.append($0.count)
            return false
        }
        #expect(!isFound && chunks.reduce(0, +) == count && chunks.dropLast().allSatisfy { $0 == 512 })
    }

    @Test func `a search stops at the chunk where it finds something`() {
        var array = ChunkedArray<Int>()
        for number in 0..<2_000 { array.append(number) }
        var looked = 0
        let isFound = array.anyChunk {
            looked += 1
            return $0.contains(600)
        }
        #expect(isFound && looked == 2)
    }

    @Test func `an element can be changed in place`() {
        var array = ChunkedArray<Int>()
        for number in 0..<1_000 { array.append(number) }
        array[0] = -1
        array[700] += 1
        array[999] += 1
        #expect(array[0] == -1 && array[700] == 701 && array[999] == 1_000 && array[701] == 701)
    }
}
