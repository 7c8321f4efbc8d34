internal import GRDB

/// The tables of the queue, version by version. A released migration is never changed.
enum NoticeMigrations {
  static var all: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 notices") { database in
      try database.execute(
        sql: """
          CREATE TABLE notice (
            id TEXT PRIMARY KEY NOT NULL,
            event TEXT NOT NULL,
            time INTEGER NOT NULL,         -- milliseconds since 1970, as all times
            series TEXT,
            number TEXT,
            label TEXT,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            details TEXT NOT NULL,         -- JSON
            added INTEGER NOT NULL
          ) STRICT;
          CREATE INDEX noticeByAdded ON notice(added);

          -- What a target is sent at once: fixed when it is first tried, the same at every try.
          CREATE TABLE message (
            id TEXT PRIMARY KEY NOT NULL,
            target TEXT NOT NULL,
            made INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            ended INTEGER,
            outcome TEXT                   -- delivered, dropped
          ) STRICT;
          CREATE INDEX messageByTarget ON message(target, outcome, made);

          CREATE TABLE delivery (
            serial INTEGER PRIMARY KEY,
            notice TEXT NOT NULL REFERENCES notice(id) ON DELETE CASCADE,
            target TEXT NOT NULL,
            message TEXT REFERENCES message(id),
            UNIQUE (notice, target)
          ) STRICT;
          CREATE INDEX deliveryByTarget ON delivery(target, message);
          CREATE INDEX deliveryByMessage ON delivery(message);

          CREATE TABLE target (
            id TEXT PRIMARY KEY NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            next INTEGER NOT NULL DEFAULT 0,
            reason TEXT,
            delivered INTEGER,             -- when it last took a message
            dropped INTEGER NOT NULL DEFAULT 0
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2 growth") { database in
      // Every target that has notices has a row, so that they are not looked for among the notices.
      try database.execute(
        sql: """
          CREATE INDEX noticeByEvent ON notice(event, added);
          INSERT OR IGNORE INTO target (id) SELECT DISTINCT target FROM delivery;
          """)
    }
    return migrator
  }
}
