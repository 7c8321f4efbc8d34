/// Statements that run for each file or at each start. None of them may look through all that was ever
/// processed: a ledger is kept for years. A test holds them against SQLite's plans.
enum LedgerStatements {
  /// By the index of states, which a comparison with `<>` does not use.
  private static let unfinished = "state IN ('claimed', 'running', 'waiting', 'publishing')"

  static let jobsUnfinished = "SELECT * FROM job WHERE \(unfinished) ORDER BY arrived, id"

  /// The plus sign keeps SQLite from going through all that is done: the few names lead to their jobs.
  static let jobsUnreleased = """
    SELECT * FROM job WHERE +state = 'done' AND id IN (SELECT job FROM name) ORDER BY arrived, id
    """

  static let suspects = """
    UPDATE job SET suspect = 1
    WHERE id IN (SELECT job FROM attempt WHERE ended IS NULL) AND state <> 'done'
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

  static let all = [
    jobsUnfinished, jobsUnreleased, suspects, attemptsVanished, computationsDone,
    computationsGivenUp, computationsStale, namesGivenUp, namesStale, jobByOriginal, hasSuccessor,
  ]
}
