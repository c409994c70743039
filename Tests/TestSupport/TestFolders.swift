import Foundation

/// Where tests put their folders, with a slash at its end: memory, where a machine has much of it, because what waits for a disk shows nothing more.
///
/// `LOOPTRAIL_TEST_DISK=1` asks for the disk all the same.
package let testFolders: String = {
    let memory = "/dev/shm/"
    let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int64
    let isRoomy = (free ?? 0) >= 2 << 30
    let isUnwanted = ProcessInfo.processInfo.environment["LOOPTRAIL_TEST_DISK"] != nil
    return isRoomy && !isUnwanted ? memory : NSTemporaryDirectory()
}()
