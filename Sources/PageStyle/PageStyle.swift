/// What all pages that procd makes look like.
package enum PageStyle {
  /// The styles that each page begins with: tokens (`--accent`, `--text-m` …), elements, and the words of states
  /// (`.state.good`, `.wait`, `.bad`, `.busy`). CSS, UTF-8.
  package static var css: [UInt8] { PackageResources.family_css }
}
