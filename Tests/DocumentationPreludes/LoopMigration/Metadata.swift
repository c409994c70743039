private struct Shelf { var products: Promise<[Product]> = .idle() }
var state = Shelf()
