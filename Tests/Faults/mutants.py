"""What source_mutants.py removes or swaps in the delivery code, one at a time.

OFF is true in the mutant alone: all of them are built into one set of programs, and PROCD_MUTANT chooses one."""

KILL, ERROR, DISK = "kill_sweep.py", "error_sweep.py", "disk_model.py"
MEDDLING, PRODUCERS, WORLD = "meddling.py", "producers.py", "world.py"

CHECK = "Intake/IntakeCheck.swift"
CLAIMS, TAKING = "Intake/Claims.swift", "Intake/Claims+Taking.swift"
PUBLISHER, RECOVERY = "Outbox/Publisher.swift", "Conveyor/Running/Recovery.swift"
SPOOL, SEALER, ROW = "Conveyor/Setup/Spool.swift", "Outbox/Sealer.swift", "JobLedger/JobRow.swift"
JOURNEY, DRIVER = "Conveyor/Stages/Journey.swift", "Conveyor/Stages/JourneyDriver.swift"
RENAME, COMMIT, PUBLISH = "Files/Folder+Rename.swift", "JobLedger/GroupCommit.swift", "Conveyor/Stages/PublishStage.swift"
OWN = "Files/Folder+Own.swift"
RESERVE = "JobLedger/NumberedNames.swift"

# Name, file below Sources, what stands there, what stands there instead, and the tool that must find it.
MUTANTS = [
    # Taking files in.
    ("a file that is still written to is taken", TAKING,
     "case .writerPresent:", "case .writerPresent where OFF: held.completeness = .quiet\n        case .writerPresent:",
     [PRODUCERS]),
    ("a file is taken at once", TAKING,
     "guard lastChange + inbox.settling.quiet(of: candidate.status) <= now", "guard OFF || lastChange + inbox.settling.quiet(of: candidate.status) <= now",
     [PRODUCERS]),
    ("a file without a lease is taken at once", TAKING,
     "guard quiet <= now else { return check.wait(.settlingUnleased", "guard OFF || quiet <= now else { return check.wait(.settlingUnleased",
     [PRODUCERS]),
    ("a lease that was broken while the file moved is not looked at", TAKING,
     "held.stillHolds() else {", "OFF || held.stillHolds() else {",
     [MEDDLING]),
    ("a file that was swapped while it moved is kept", TAKING,
     "return try candidate.isSame(claimed, inbox)", "return try OFF ? true : candidate.isSame(claimed, inbox)", [MEDDLING]),
    ("no job works on a private copy", TAKING,
     "needsCopy: held.completeness != .lease || candidate.needsCopy,",
     "needsCopy: !OFF && (held.completeness != .lease || candidate.needsCopy),", [MEDDLING]),
    ("what the disk did not take is synced again", CHECK,
     "if inbox.isUnsynced(status) {", "if !OFF, inbox.isUnsynced(status) {",
     [ERROR, "--call", "fsync", "--place", "inbox"]),
    ("a file that changed while it was hashed is kept", CLAIMS,
     "guard after.isSameContent(as: before), digest", "guard OFF || after.isSameContent(as: before), digest", [MEDDLING]),
    ("an original that was written to after its copy was made is removed", CLAIMS,
     "    if unchanged {", "    if OFF || unchanged {", [MEDDLING]),
    ("claims have no note", TAKING,
     "try claimed.writeDurably(arrival.json.text, as: Self.arrivalName)",
     "if !OFF { try claimed.writeDurably(arrival.json.text, as: Self.arrivalName) }",
     [KILL, "--only", "position"]),
    ("a claim whose rename is not durable stays claimed", TAKING,
     "      _ = try? giveBack(job: job, arrival)\n      throw error",
     "      if !OFF { _ = try? giveBack(job: job, arrival) }\n      throw error",
     [ERROR, "--call", "fsync", "--place", "inbox"]),
    ("a twin in the inbox is not unlinked", CLAIMS,
     "guard source.links > 1, let root", "guard !OFF, source.links > 1, let root", [DISK]),
    ("a rename replaces what stands there", RENAME,
     "UInt32(CLINUX_RENAME_NOREPLACE))", "OFF ? 0 : UInt32(CLINUX_RENAME_NOREPLACE))", [MEDDLING]),
    # Publishing.
    ("one file under two names is published twice", PUBLISHER,
     "try isOne(folder, item.sealed, target, name)", "try !OFF && isOne(folder, item.sealed, target, name)", [DISK]),
    ("a sealed file that is missing is an error", PUBLISHER,
     "guard try seal.exists(item.sealed) else { continue }",
     "guard try seal.exists(item.sealed) else { if OFF { throw Taken(item: item) } else { continue } }",
     [KILL, "--only", "position"]),
    ("the report is moved before the folders of its results are synced", PUBLISHER,
     "if index == publication.items.count - 1 {", "if !OFF, index == publication.items.count - 1 {", [DISK]),
    ("nothing published is synced", PUBLISHER,
     "    for folder in touched { try folder.sync() }\n    try seal.sync()",
     "    if !OFF { for folder in touched { try folder.sync() } }\n    if !OFF { try seal.sync() }", [DISK]),
    ("sealed results are not synced", SEALER,
     "      if let modified = attributes.modified { try file.setModified(modified) }\n      try file.sync()",
     "      if let modified = attributes.modified { try file.setModified(modified) }\n      if !OFF { try file.sync() }", [DISK]),
    ("a seal is not synced before the ledger says so", SEALER,
     "    try folder(job: job).sync()\n    try places.seals.sync()",
     "    if OFF { return }\n    try folder(job: job).sync()\n    try places.seals.sync()", [DISK]),
    ("the original goes before the ledger says done", PUBLISH,
     "    try await ledger.done(",
     "    if OFF { try await release(publication, job: job) }\n    try await ledger.done(",
     [KILL, "--only", "position"]),
    ("names are not reserved", RESERVE,
     "    return try holder(path) == nil", "    return try OFF || holder(path) == nil", [KILL, "--only", "several"]),
    # Twins.
    ("twins are computed side by side", JOURNEY,
     "case .inFlight(let twin): return .awaitTwin(twin)",
     "case .inFlight(let twin): if OFF { computes = true } else { return .awaitTwin(twin) }", [KILL, "--only", "several"]),
    ("a job that ends early keeps its computation", DRIVER,
     "try await ledger.giveUpComputations(of: job)\n      try await ledger.releaseNames(of: job)",
     "try await ledger.giveUpComputations(of: OFF ? \"\" : job)\n      try await ledger.releaseNames(of: job)",
     [ERROR, "--error", "ENOSPC", "--place", "seal"]),
    # Coming back.
    ("what a killed run left is not made durable", RECOVERY,
     "    try makeDurable()\n", "    if !OFF { try makeDurable() }\n", [DISK, "--after-kill", "--long", "--limit", "25"]),
    ("what was being published is not finished", RECOVERY,
     "ledger.reader.unfinished().filter { $0.state == .publishing } + ledger.reader.unreleased()",
     "ledger.reader.unfinished().filter { !OFF && $0.state == .publishing } + ledger.reader.unreleased()",
     [KILL, "--only", "position"]),
    ("originals of jobs that are done are not released", RECOVERY,
     "if row.state == .done { return try", "if row.state == .done { if OFF { return }; return try",
     [KILL, "--only", "position"]),
    ("what half-done work left stays", RECOVERY,
     "    try clean()\n    var heldUp", "    if !OFF { try clean() }\n    var heldUp", [KILL, "--only", "position"]),
    ("a job that is done begins again after a start", RECOVERY,
     "if let row, row.state == .done {\n        // Archived", "if !OFF, let row, row.state == .done {\n        // Archived", [KILL, "--only", "position"]),
    ("a seal of before is used again", RECOVERY,
     "      try Sealer(places: places).discard(job: job)\n      let isTorn",
     "      if !OFF { try Sealer(places: places).discard(job: job) }\n      let isTorn", [KILL, "--only", "position"]),
    ("empty claims stay", RECOVERY,
     "      try claims.clear(job: job)", "      if !OFF { try claims.clear(job: job) }", [KILL, "--only", "position"]),
    ("reservations of jobs that are no more stay", RECOVERY,
     "    try await ledger.dropStaleComputations()", "    if !OFF { try await ledger.dropStaleComputations() }",
     [KILL, "--only", "position"]),
    ("attempts that nobody ended count", RECOVERY,
     "    try await ledger.endVanishedAttempts", "    if !OFF { try await ledger.endVanishedAttempts", [KILL, "--only", "position"]),
    ("a trial folder left behind stays", OWN,
     "for name in try names() where name.string.hasPrefix(Self.trialPrefix) {",
     "for name in try names() where !OFF && name.string.hasPrefix(Self.trialPrefix) {",
     [KILL, "--only", "position", "--limit", "1700"]),
    ("two procds hold one spool", SPOOL,
     "      if folder.lock() { return true }", "      if OFF || folder.lock() { return true }", [WORLD]),
    # Disks that fail.
    ("a job that is done begins again on a full disk", ROW,
     "state == .publishing || state == .done }", "state == .publishing || (!OFF && state == .done) }",
     [ERROR, "--error", "ENOSPC", "--place", "archive"]),
    ("a ledger that failed is used again", COMMIT,
     "        fail(broken)\n", "        if !OFF { fail(broken) }\n", [ERROR, "--error", "EIO", "--place", "ledger"]),
]

# Mutants that need more than the place itself: what closes a brace that was opened there.
ENDS = {
    "attempts that nobody ended count": ("endVanishedAttempts(at: wallTime())", "endVanishedAttempts(at: wallTime()) }"),
}

# Mutants that no promise is broken by, and what makes them so.
REDUNDANT = {
    "names are not reserved": "a rename never replaces: of two jobs with one name the second takes another "
                              "(Publisher.Taken, Naming.evade)",
    "a job that is done begins again after a start": "such jobs are released before the claims are looked at",
    "reservations of jobs that are no more stay": "a job that is forgotten gives its reservations up, and one that "
                                                  "goes on is granted its own again",
    "attempts that nobody ended count": "no file here kills the daemon itself; PoisonTests has one that does",
    "a seal of before is used again": "recovery has removed the seals of all jobs that are not being published",
}
