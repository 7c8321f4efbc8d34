/// Statements whose cost could grow with what was ever processed: none of them goes through all of it or sorts it, as a
/// ledger is kept for years. A test checks this by the plans that SQLite makes for them.
enum LedgerStatements {
  /// Exactly the condition of the index "jobInWork".
  private static let unfinished = "state <> 'done'"

  static let jobsUnfinished = "SELECT * FROM job WHERE \(unfinished) ORDER BY arrived, id"

  /// The few names lead to their jobs, which are not put in order here.
  static let jobsUnreleased =
    "SELECT * FROM job WHERE state = 'done' AND id IN (SELECT job FROM name)"

  static let suspects = """
    UPDATE job SET suspect = 1
    WHERE id IN (SELECT job FROM attempt WHERE ended IS NULL) AND +state <> 'done'
    """

  /// Arguments: the time.
  static let attemptsVanished =
    "UPDATE attempt SET ended = ?, class = 'vanished' WHERE ended IS NULL"

  /// Arguments: the job.
  static let computationsDone = "UPDATE computation SET done = 1 WHERE job = ? AND done = 0"

  /// Arguments: the job.
  static let computationsGivenUp = "DELETE FROM computation WHERE job = ? AND done = 0"

  static let computationsStale = """
    DELETE FROM computation
    WHERE done = 0 AND job NOT IN (SELECT id FROM job WHERE \(unfinished))
    """

  /// Arguments: the job.
  static let namesGivenUp = """
    DELETE FROM name WHERE job = ?
    AND (SELECT state FROM job WHERE job.id = name.job) NOT IN ('publishing', 'done')
    """

  static let namesStale = """
    DELETE FROM name
    WHERE job IN (SELECT id FROM job WHERE \(unfinished) AND state <> 'publishing')
    """

  /// Arguments: `path` as JSON, `place`, `whole`. Each half by an index of its own; the second is for earlier ledgers.
  static let originalLies = """
    (publication IS NOT NULL AND publication -> '$.original.path' = (:path -> '$')
      AND publication ->> '$.original.place' = :place AND finished IS NOT NULL
      OR original = :whole)
    """

  static let jobByOriginal =
    "SELECT * FROM job WHERE \(originalLies) ORDER BY finished DESC, id DESC"

  /// Arguments: the same, and the job and its end.
  static let hasSuccessor = """
    SELECT EXISTS (SELECT 1 FROM job
      WHERE \(originalLies) AND id <> :job AND (finished, id) > (:finished, :job))
    """

  // MARK: - Lists

  /// The newest first. Arguments: the end and the job to go on after, how many.
  static let finishedBefore = """
    SELECT job.* FROM jobEnd CROSS JOIN job ON job.id = jobEnd.id
    WHERE (jobEnd.finished, jobEnd.id) < (?, ?)
    ORDER BY jobEnd.finished DESC, jobEnd.id DESC LIMIT ?
    """

  /// The oldest first; the conditions are those of the index "jobByAge". Arguments: the rule, the end and the job to go on after,
  /// the time, how many.
  static let archivedAfter = """
    SELECT * FROM job
    WHERE state = 'done' AND outcome <> 'quarantined' AND letGo IS NULL
      AND coalesce(pipeline, '') = ? AND (finished, id) > (?, ?) AND finished < ?
      AND NOT EXISTS (SELECT 1 FROM name WHERE name.job = job.id)  -- on its way yet
    ORDER BY finished, id LIMIT ?
    """

  /// Identifiers of finished jobs. Arguments: those of the condition, `limit`, `offset`.
  static func finishedIdentifiers(_ condition: String, _ order: JobOrder) -> String {
    """
    SELECT id FROM jobEnd WHERE \(condition)
    ORDER BY \(order.terms) LIMIT :limit OFFSET :offset
    """
  }

  /// Arguments: how many.
  static let newestUnfinished =
    "SELECT * FROM job WHERE \(unfinished) ORDER BY arrived DESC, id DESC LIMIT ?"

  /// Arguments: the path.
  static let jobsByPath = "SELECT * FROM job WHERE path = ? ORDER BY arrived DESC, id DESC"

  /// The newest first. Arguments: the path, the hash, how many.
  static let attemptsOfFile =
    "SELECT * FROM job WHERE path = ? AND sha256 = ? ORDER BY arrived DESC, id DESC LIMIT ?"

  /// Arguments: the path, from, until, a job that is not meant.
  static let latestByPath = """
    SELECT id, arrived, sha256 FROM job
    WHERE path = ? AND arrived BETWEEN ? AND ? AND id <> ? ORDER BY arrived DESC LIMIT 1
    """

  /// Arguments: the hash.
  static let quarantinedByHash = """
    SELECT * FROM job WHERE sha256 = ? AND outcome = 'quarantined' AND state = 'done'
    """

  static let quarantinedOriginals = """
    SELECT job.id, original, publication FROM jobEnd CROSS JOIN job ON job.id = jobEnd.id
    WHERE jobEnd.outcome = 'quarantined' AND original IS NOT NULL
    ORDER BY jobEnd.finished DESC, jobEnd.id DESC
    """

  /// In the order of identifiers. Arguments: the one to go on after, how many.
  static let identifiersAfter = """
    SELECT id, letGo IS NOT NULL AS isLetGo FROM job
    WHERE id > ? AND state = 'done' ORDER BY id LIMIT ?
    """

  static let newestEnd = "SELECT finished FROM jobEnd ORDER BY finished DESC LIMIT 1"
  /// Identifiers grow with the time of arrival.
  static let newestArrival = "SELECT arrived FROM job ORDER BY id DESC LIMIT 1"

  /// Arguments: the sender before.
  static let nextSender = "SELECT min(sender) FROM jobEnd WHERE sender > ?"

  // MARK: - Counts

  static let outcomes = """
    SELECT pipeline, outcome, number, last FROM outcomeCount WHERE number > 0
    ORDER BY pipeline, outcome
    """

  static let unfinishedStates = """
    SELECT CASE errorCode WHEN ? THEN 'waiting' ELSE state END AS state, arrived FROM job
    WHERE \(unfinished)
    """

  static let unfinishedCount = "SELECT count(*) FROM job WHERE \(unfinished)"

  /// Of one span of time. Arguments: from, until.
  static let endsBetween = """
    SELECT outcome, finished - arrived, pages FROM jobEnd WHERE finished >= ? AND finished < ?
    """

  /// Of one span of time. Arguments: from, until.
  static let stepTimeBetween = """
    SELECT sum(ended - started) FROM attempt WHERE ended >= ? AND ended < ? AND class = 'done'
    """

  static let all = [
    jobsUnfinished, jobsUnreleased, suspects, attemptsVanished, computationsDone,
    computationsGivenUp, computationsStale, namesGivenUp, namesStale, hasSuccessor,
    finishedBefore, archivedAfter, finishedIdentifiers("TRUE", .newest),
    finishedIdentifiers("TRUE", .oldest), finishedIdentifiers("outcome = 'quarantined'", .newest),
    newestUnfinished, jobsByPath, attemptsOfFile, latestByPath,
    quarantinedByHash, quarantinedOriginals, identifiersAfter, nextSender, newestEnd, newestArrival,
    outcomes,
    unfinishedStates, unfinishedCount, endsBetween, stepTimeBetween,
  ]

  /// Statements that put in order what has one path, which is little.
  static let sorting = [jobByOriginal]
}
