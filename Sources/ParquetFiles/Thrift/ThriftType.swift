/// The types of Thrift's compact protocol (thrift.apache.org, `thrift-compact-protocol.md`).
enum ThriftType: UInt8 {
    case yes = 1
    case no = 2
    case byte = 3
    case int16 = 4
    case int32 = 5
    case int64 = 6
    case double = 7
    case binary = 8
    case list = 9
    case set = 10
    case map = 11
    case structure = 12
}
