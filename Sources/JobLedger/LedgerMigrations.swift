internal import GRDB

/// The ledger's tables, version by version. A released migration is never changed.
enum LedgerMigrations {
  static var all: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 conveyor") { database in
      try database.execute(
        sql: """
          CREATE TABLE job (
            id TEXT PRIMARY KEY NOT NULL,
            path BLOB NOT NULL,            -- relative to the inbox, bytes
            size INTEGER NOT NULL,
            arrived INTEGER NOT NULL,      -- milliseconds since 1970, as all times
            completeness TEXT NOT NULL,
            state TEXT NOT NULL,           -- claimed, running, waiting, publishing, done
            suspect INTEGER NOT NULL DEFAULT 0,
            notBefore INTEGER,
            sha256 TEXT,
            mime TEXT,
            pipeline TEXT,
            pipelineHash TEXT,
            outcome TEXT,
            errorCode TEXT,
            errorMessage TEXT,
            finished INTEGER,
            original BLOB,                 -- where the original lies, absolute, bytes
            publication TEXT,              -- what is published under which names, JSON
            report TEXT                    -- the report as published, JSON
          ) STRICT;
          CREATE INDEX jobByState ON job(state);
          CREATE INDEX jobByPath ON job(path);
          CREATE INDEX jobByFinished ON job(finished);

          CREATE TABLE attempt (
            id INTEGER PRIMARY KEY,
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            step TEXT NOT NULL,
            pipeline TEXT NOT NULL,
            started INTEGER NOT NULL,
            ended INTEGER,
            charged INTEGER NOT NULL DEFAULT 0,
            alone INTEGER NOT NULL DEFAULT 0,
            class TEXT,                    -- done, or the failure's class, or vanished
            code TEXT
          ) STRICT;
          CREATE INDEX attemptByJob ON attempt(job, step);

          -- Names are kept from reservation to done; afterwards the file itself holds its name.
          CREATE TABLE name (
            place TEXT NOT NULL,           -- outbox, archive, quarantine
            path BLOB NOT NULL,            -- relative to the place, bytes
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            PRIMARY KEY (place, path)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX nameByJob ON name(job);

          CREATE TABLE computation (
            sha256 TEXT NOT NULL,
            pipelineHash TEXT NOT NULL,
            job TEXT NOT NULL,
            done INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (sha256, pipelineHash)
          ) STRICT, WITHOUT ROWID;

          -- Pipelines whose expectations a job's file did not meet.
          CREATE TABLE passedOver (
            job TEXT NOT NULL REFERENCES job(id) ON DELETE CASCADE,
            pipeline TEXT NOT NULL,
            PRIMARY KEY (job, pipeline)
          ) STRICT, WITHOUT ROWID;

          -- Wishes from outside that the daemon takes.
          CREATE TABLE request (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            argument BLOB NOT NULL,
            made INTEGER NOT NULL
          ) STRICT;
          """)
    }
    migrator.registerMigration("2 look-ups") { database in
      // Both are asked for once a file, or once a file of a folder that is verified.
      try database.execute(
        sql: """
          CREATE INDEX jobBySHA256 ON job(sha256) WHERE sha256 IS NOT NULL;
          CREATE INDEX jobByOriginal ON job(original) WHERE original IS NOT NULL;
          """)
    }
    migrator.registerMigration("3 reasons") { database in
      try database.execute(sql: "ALTER TABLE passedOver ADD COLUMN reason TEXT")
    }
    migrator.registerMigration("4 retention") { database in
      try database.execute(
        sql: """
          ALTER TABLE job ADD COLUMN letGo INTEGER;  -- when the archived original was let go
          CREATE INDEX jobByAge ON job(finished)
            WHERE state = 'done' AND outcome <> 'quarantined' AND letGo IS NULL;
          """)
    }
    migrator.registerMigration("5 long use") { database in
      // What is in work is little, however much was processed before.
      try database.execute(
        sql: """
          CREATE INDEX computationInWork ON computation(job) WHERE done = 0;
          CREATE INDEX attemptInWork ON attempt(job) WHERE ended IS NULL;
          """)
    }
    migrator.registerMigration("6 numbers of names") { database in
      try database.execute(
        sql: """
          -- Of a name that several files wanted: the highest number given, and whose it is.
          CREATE TABLE numbered (
            place TEXT NOT NULL,           -- outbox, archive, quarantine
            path BLOB NOT NULL,            -- the plain name, relative to the place, bytes
            number INTEGER NOT NULL,
            job TEXT NOT NULL,
            PRIMARY KEY (place, path)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("7 places of originals") { database in
      // A place may have been moved: originals are looked up by the path below it.
      try database.execute(
        sql: """
          CREATE INDEX jobByOriginalPath ON job(publication -> '$.original.path')
            WHERE publication IS NOT NULL;
          """)
    }
    migrator.registerMigration("8 growth") { database in
      // No question goes through all jobs any more: they are kept in the orders in which they are asked for, counted
      // as they end, and what figures are made of is kept apart from the reports.
      func ended(_ condition: String) -> String {
        """
        INSERT INTO jobEnd
        SELECT finished, id, path, arrived, outcome, coalesce(pipeline, ''), errorCode, \(pages)
        FROM job WHERE \(condition) AND finished IS NOT NULL AND outcome IS NOT NULL;
        """
      }
      try database.execute(
        sql: """
          DROP INDEX jobByState;
          CREATE INDEX jobInWork ON job(arrived, id) WHERE state <> 'done';
          DROP INDEX jobByFinished;
          DROP INDEX jobByPath;
          CREATE INDEX jobByPath ON job(path, arrived, id);
          DROP INDEX jobByAge;
          CREATE INDEX jobByAge ON job(finished, id)
            WHERE state = 'done' AND outcome <> 'quarantined' AND letGo IS NULL;
          CREATE INDEX attemptByEnd ON attempt(ended, class, started) WHERE class IS NOT NULL;

          -- The jobs that are done, in the order of their ends. Kept by triggers.
          CREATE TABLE jobEnd (
            finished INTEGER NOT NULL,
            id TEXT NOT NULL,
            path BLOB NOT NULL,
            arrived INTEGER NOT NULL,
            outcome TEXT NOT NULL,
            pipeline TEXT NOT NULL,        -- empty if no rule matched
            errorCode TEXT,
            pages INTEGER NOT NULL,        -- as its steps counted them
            PRIMARY KEY (finished, id)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX jobEndQuarantined ON jobEnd(finished, id) WHERE outcome = 'quarantined';
          CREATE TABLE outcomeCount (
            pipeline TEXT NOT NULL,
            outcome TEXT NOT NULL,
            number INTEGER NOT NULL,
            last INTEGER NOT NULL,         -- when the newest of them ended
            PRIMARY KEY (pipeline, outcome)
          ) STRICT, WITHOUT ROWID;

          CREATE TRIGGER jobEndCounted AFTER INSERT ON jobEnd BEGIN
            INSERT INTO outcomeCount VALUES (NEW.pipeline, NEW.outcome, 1, NEW.finished)
              ON CONFLICT (pipeline, outcome)
              DO UPDATE SET number = number + 1, last = max(last, excluded.last);
          END;
          CREATE TRIGGER jobEndForgotten AFTER DELETE ON jobEnd BEGIN
            UPDATE outcomeCount SET number = number - 1
              WHERE pipeline = OLD.pipeline AND outcome = OLD.outcome;
          END;
          CREATE TRIGGER jobEnds AFTER UPDATE OF state ON job WHEN NEW.state = 'done' BEGIN
            DELETE FROM jobEnd WHERE finished = OLD.finished AND id = OLD.id;
            \(ended("id = NEW.id"))
          END;
          CREATE TRIGGER jobComesEnded AFTER INSERT ON job WHEN NEW.state = 'done' BEGIN
            \(ended("id = NEW.id"))
          END;
          CREATE TRIGGER jobIsForgotten AFTER DELETE ON job WHEN OLD.state = 'done' BEGIN
            DELETE FROM jobEnd WHERE finished = OLD.finished AND id = OLD.id;
          END;
          \(ended("state = 'done'"))
          """)
    }
    migrator.registerMigration("9 senders, days, retention by rule") { database in
      let sender = first("texts.sender", ["from"], upTo: 200)
      let day = first("texts.date", ["documentDate", "date"], upTo: 30)
      func ended(_ condition: String) -> String {
        """
        INSERT INTO jobEnd
        SELECT finished, id, path, arrived, outcome, coalesce(pipeline, ''), errorCode, \(pages), \(sender), \(day)
        FROM job WHERE \(condition) AND finished IS NOT NULL AND outcome IS NOT NULL;
        """
      }
      try database.execute(
        sql: """
          ALTER TABLE jobEnd ADD COLUMN sender TEXT;  -- of the document, where a rule or a step found it
          ALTER TABLE jobEnd ADD COLUMN day TEXT;     -- of the document
          CREATE INDEX jobEndSender ON jobEnd(sender) WHERE sender IS NOT NULL;
          DROP TRIGGER jobEnds;
          CREATE TRIGGER jobEnds AFTER UPDATE OF state ON job WHEN NEW.state = 'done' BEGIN
            DELETE FROM jobEnd WHERE finished = OLD.finished AND id = OLD.id;
            \(ended("id = NEW.id"))
          END;
          DROP TRIGGER jobComesEnded;
          CREATE TRIGGER jobComesEnded AFTER INSERT ON job WHEN NEW.state = 'done' BEGIN
            \(ended("id = NEW.id"))
          END;
          UPDATE jobEnd SET sender = (SELECT \(sender) FROM job WHERE id = jobEnd.id),
            day = (SELECT \(day) FROM job WHERE id = jobEnd.id);
          DROP INDEX jobByAge;
          CREATE INDEX jobByAge ON job(coalesce(pipeline, ''), finished, id)
            WHERE state = 'done' AND outcome <> 'quarantined' AND letGo IS NULL;
          """)
    }
    return migrator
  }

  /// How many pages a job's steps counted, by its report.
  private static let pages = """
    CASE WHEN json_valid(report) THEN CAST(max(
      coalesce(json_extract(report, '$.steps[0].facts.pages'), 0),
      coalesce(json_extract(report, '$.steps[1].facts.pages'), 0),
      coalesce(json_extract(report, '$.steps[2].facts.pages'), 0)) AS INTEGER) ELSE 0 END
    """

  /// The first of these that a report has.
  ///
  /// - Parameters:
  ///   - place: a path in the report.
  ///   - facts: of the first three steps.
  private static func first(_ place: String, _ facts: [String], upTo length: Int) -> String {
    let inFacts = facts.flatMap { fact in (0..<3).map { "steps[\($0)].facts.\(fact)" } }
    let values = ([place] + inFacts).map { "report ->> '$.\($0)'" }.joined(separator: ", ")
    return "CASE WHEN json_valid(report) THEN substr(coalesce(\(values)), 1, \(length)) END"
  }
}
