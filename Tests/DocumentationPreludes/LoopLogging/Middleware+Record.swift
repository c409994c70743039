let files = try LogFileWriter(folder: "logs")
let coder = RecordingCoder<ShopEvent>(
    encode: { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
    decode: { try JSONDecoder().decode(ShopEvent.self, from: Data($0.utf8)) })
