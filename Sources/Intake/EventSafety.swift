/// What a file system can be trusted with.
package enum EventSafety {
  /// Magic numbers (statfs(2)) of local file systems that report all changes and whose leases are
  /// honest: ext2 to 4, xfs, btrfs, tmpfs, zfs, f2fs. Overlay, FUSE and network file systems report
  /// only what this host does, and overlayfs grants leases over writers.
  private static let safe: Set<UInt64> = [
    0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x2FC1_2FC1, 0xF2F5_2010,
  ]

  package static func isSafe(_ type: UInt64) -> Bool { safe.contains(type) }
}
