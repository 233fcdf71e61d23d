import { randomUUID } from 'node:crypto';
import {
  type ConnectionPool,
  execute,
  type LeadingStatement,
  type Statement,
  serverOf,
  statement,
} from '@keyfront/postgres';

/** What the primary had committed at a moment. */
export interface PrimaryPosition {
  /** Host and port of the primary. */
  readonly server: string;
  /** A position in the write-ahead log, such as `0/16B3748`. */
  readonly lsn: string;
  /** The id of the row in `primary_timelines`. */
  readonly timelineId: string;
  /** A row of `primary_beats` that the position includes. Null before the first beat, which no replica has. */
  readonly beat: Beat | null;
}

export interface Beat {
  readonly processId: string;
  readonly number: number;
}

// With `synchronous_commit = off` a commit is acknowledged before the log is flushed.
const readPosition = statement<{ lsn: string; timelineId: string | null }>(
  'primary.position',
  `WITH current AS MATERIALIZED (
     SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
       ELSE pg_current_wal_flush_lsn() END AS lsn
   )
   SELECT lsn::text, (SELECT id FROM primary_timelines
     WHERE timeline = ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int) AS "timelineId"
   FROM current`,
);

const recordTimeline = statement<never>(
  'primary.record-timeline',
  `INSERT INTO primary_timelines (timeline)
   VALUES (('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int) ON CONFLICT DO NOTHING`,
);

const writeBeat = statement<never>(
  'primary.write-beat',
  `INSERT INTO primary_beats (process_id, beat) VALUES ($1, $2)
   ON CONFLICT (process_id) DO UPDATE SET beat = excluded.beat, beaten_at = excluded.beaten_at`,
);
const deleteOldBeats = statement<never>(
  'primary.delete-old-beats',
  `DELETE FROM primary_beats WHERE beaten_at < now() - interval '1 day'`,
);

// Flushes the WAL.
const flushLog = statement<never>(
  'primary.flush-log',
  `SELECT WHERE pg_logical_emit_message(true, 'keyfront', 'position') IS NULL`,
);
const pageBytes = 8_192n;

/**
 * Reads the position of the primary for many requests. A request needs a position that was read after the request arrived:
 * everything that was acknowledged before is then below it. Requests that arrive while a query is on its way share the next one.
 */
export class PrimaryPositionReader {
  readonly #pool: ConnectionPool;
  #running: Promise<PrimaryPosition> | null = null;
  #next: Promise<PrimaryPosition> | null = null;
  readonly #processId = randomUUID();
  #lastBeat = 0;
  #beat: Beat | null = null;
  #server = '';

  constructor(pool: ConnectionPool) {
    this.#pool = pool;
  }

  read(): Promise<PrimaryPosition> {
    this.#next ??= this.#readAfter(this.#running);
    return this.#next;
  }

  /** Writes the next beat. Positions that are read afterwards are only on replicas that have received it. */
  async beat(): Promise<void> {
    const number = ++this.#lastBeat;
    if (number === 1) await this.#run(deleteOldBeats);
    await this.#run(writeBeat, [this.#processId, number]);
    this.#beat = { processId: this.#processId, number };
  }

  async #readAfter(running: Promise<unknown> | null): Promise<PrimaryPosition> {
    await running?.catch(() => undefined);
    // Requests of the same tick share the query as well.
    await null;
    const reading = this.#query();
    this.#running = reading;
    this.#next = null;
    return reading;
  }

  async #query(): Promise<PrimaryPosition> {
    // Before the position is read, which then includes it.
    const beat = this.#beat;
    let [row] = await this.#run(readPosition);
    if (row?.timelineId === null) {
      await this.#run(recordTimeline);
      [row] = await this.#run(readPosition);
    }
    if (row && parseLsn(row.lsn) % pageBytes === 0n) {
      // The log writer of PostgreSQL flushes whole pages. No replica reaches a position inside of a record before the
      // rest follows.
      await this.#run(flushLog);
      [row] = await this.#run(readPosition);
    }
    if (!row?.timelineId) throw new Error('The primary has no timeline');
    return { server: this.#server, lsn: row.lsn, timelineId: row.timelineId, beat };
  }

  #run<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    const leading: LeadingStatement[] = [...this.#pool.session];
    return this.#pool.run((client) => {
      this.#server = serverOf(client);
      return execute(client, statement, values, leading);
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Converts a position in the log to a number that can be compared. */
export function parseLsn(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
