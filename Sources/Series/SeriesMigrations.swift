internal import GRDB

/// The store's tables, version by version. A released migration is never changed.
enum SeriesMigrations {
  static var all: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 editions") { database in
      try database.execute(
        sql: """
          CREATE TABLE edition (
            id INTEGER PRIMARY KEY,
            series TEXT NOT NULL,
            job TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            date TEXT NOT NULL,            -- YYYY-MM-DD
            arrived INTEGER NOT NULL,      -- milliseconds since 1970, as all times
            confirmed INTEGER NOT NULL,
            partial INTEGER NOT NULL,
            numbers INTEGER NOT NULL,
            rows INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX editionByDate ON edition(series, date, arrived);

          -- The rows of each edition; texts that recur stand once.
          CREATE TABLE phrase (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
          CREATE TABLE entry (
            number TEXT NOT NULL,
            edition INTEGER NOT NULL REFERENCES edition(id) ON DELETE CASCADE,
            place INTEGER NOT NULL,        -- among the rows of the number
            status INTEGER NOT NULL,
            date INTEGER NOT NULL,
            dateISO TEXT,
            PRIMARY KEY (number, edition, place)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX entryByEdition ON entry(edition);

          -- What was answered for each job, so that the same is answered again.
          CREATE TABLE answer (
            job TEXT PRIMARY KEY NOT NULL,
            edition INTEGER NOT NULL REFERENCES edition(id) ON DELETE CASCADE,
            standing TEXT NOT NULL,
            comparedWith TEXT,
            changes TEXT NOT NULL          -- JSON
          ) STRICT;

          CREATE TABLE followed (
            number TEXT PRIMARY KEY NOT NULL,
            label TEXT,
            since INTEGER NOT NULL
          ) STRICT;

          -- News of followed numbers, by the job whose edition brought them.
          CREATE TABLE news (
            id TEXT PRIMARY KEY NOT NULL,
            job TEXT NOT NULL,
            series TEXT NOT NULL,
            number TEXT NOT NULL,
            label TEXT,
            kind TEXT NOT NULL,
            time INTEGER NOT NULL,
            before TEXT NOT NULL,          -- entries, JSON
            after TEXT NOT NULL
          ) STRICT;
          CREATE INDEX newsByJob ON news(job);
          CREATE INDEX newsByNumber ON news(number, time);
          """)
    }
    migrator.registerMigration("2 doubts") { database in
      try database.execute(
        sql: """
          -- Why a row may not be as it was meant; a text that recurs too.
          ALTER TABLE entry ADD COLUMN doubtCode TEXT;
          ALTER TABLE entry ADD COLUMN doubt INTEGER;
          -- The dates of the partial editions that an answer took into account, JSON.
          ALTER TABLE answer ADD COLUMN partials TEXT;
          """)
    }
    migrator.registerMigration("3 freshness") { database in
      try database.execute(
        sql: """
          -- Where the file of an answer arrived, below the inbox: what its source confirms later.
          ALTER TABLE answer ADD COLUMN path TEXT;
          CREATE INDEX answerByPath ON answer(path);

          -- Lists that came and were not kept.
          CREATE TABLE refusal (
            job TEXT PRIMARY KEY NOT NULL,
            series TEXT NOT NULL,
            name TEXT NOT NULL,
            date TEXT NOT NULL,
            arrived INTEGER NOT NULL,
            reason TEXT NOT NULL
          ) STRICT;
          CREATE INDEX refusalBySeries ON refusal(series, arrived);
          """)
    }
    return migrator
  }
}
