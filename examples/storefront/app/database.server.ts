import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { databaseFile } from './settings.server.ts';

// The shop's own data. Clients, orders and payments are in Keyfront, and are read from there.
mkdirSync(dirname(databaseFile), { recursive: true, mode: 0o700 });

export const database = new Database(databaseFile);

database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA busy_timeout = 5000;

  -- One code per e-mail address: the latest. Only its hash is stored.
  CREATE TABLE IF NOT EXISTS sign_in_codes (
    email TEXT PRIMARY KEY,
    hash TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    attempts_left INTEGER NOT NULL,
    -- How many codes were sent since the beginning of the window, so that nobody floods a mailbox.
    sent_count INTEGER NOT NULL,
    window_began_at INTEGER NOT NULL
  );

  -- What has happened to customers and orders. The id of an event is taken once, however often the event arrives.
  CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    client_id TEXT NOT NULL,
    order_id TEXT,
    created_at TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS events_by_order ON events (order_id, id);

  -- One row: up to where the events of Keyfront were read.
  CREATE TABLE IF NOT EXISTS event_position (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    after TEXT NOT NULL
  );
`);
