import Foundation

/// Whether tests run with the larger numbers of `.ci/nightly`: it sets `LOOPTRAIL_NIGHT`.
package let isNight = ProcessInfo.processInfo.environment["LOOPTRAIL_NIGHT"] != nil

/// The path under which tests make their folders, with a slash at its end. It is in memory if 2 GiB are free there, where tests are faster.
///
/// If the variable `LOOPTRAIL_TEST_DISK` is set, it is the folder for temporary files.
package let testFolders: String = {
    let memory = "/dev/shm/"
    let free = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize] as? Int64
    let isRoomy = (free ?? 0) >= 2 << 30
    let isUnwanted = ProcessInfo.processInfo.environment["LOOPTRAIL_TEST_DISK"] != nil
    return isRoomy && !isUnwanted ? memory : NSTemporaryDirectory()
}()
