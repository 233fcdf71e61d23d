import { setTimeout as delay } from 'node:timers/promises';
import { statement } from '@keyfront/postgres';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomFrom } from '../../../../../test/support/random-from.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/support/test-database.ts';
import { Database } from '../database.ts';
import { systemScope } from '../transactions/scope.ts';
import { eventHorizon, readEventHorizon } from './event-horizon.ts';

// Writers change resources and report each change with an event, in transactions that end in any order. Readers continue after the last event
// that they have seen.

interface Change {
  readonly number: number;
  readonly resource: number;
  readonly version: number;
}
const readEvents = statement<Change>(
  'test.events',
  `SELECT transaction_number AS number, (snapshot ->> 'resource')::int AS resource, (snapshot ->> 'version')::int AS version
   FROM events WHERE transaction_number > $1 AND transaction_number < ${eventHorizon} ORDER BY transaction_number`,
  { indexScansOnly: true, precededBy: readEventHorizon },
);
const change = `WITH changed AS (
    UPDATE resources SET version = version + 1 WHERE id = $1 RETURNING id, version
  )
  INSERT INTO events (type, snapshot)
  SELECT 'strain.updated', jsonb_build_object('resource', id, 'version', version) FROM changed`;

const writerCount = 5;
const resourceCount = 3;
let test: TestDatabase;
let database: Database;
let writers: pg.Client[];
beforeAll(async () => {
  test = await createTestDatabase();
  database = new Database({ url: test.loginUrl, poolSize: 4 });
  writers = Array.from(
    { length: writerCount },
    () => new pg.Client({ connectionString: test.ownerUrl, options: '-c search_path=keyfront' }),
  );
  for (const writer of writers) await writer.connect();
  await writers[0]?.query('CREATE TABLE resources (id int PRIMARY KEY, version int NOT NULL)');
});
afterAll(async () => {
  for (const writer of writers) await writer.end();
  await database.close();
  await test.close();
});
async function createResources(): Promise<number> {
  await writers[0]?.query(
    `TRUNCATE resources; INSERT INTO resources SELECT id, 0 FROM generate_series(0, ${resourceCount - 1}) AS id`,
  );
  const last = await writers[0]?.query<{ number: number }>(
    'SELECT last_value::float AS number FROM event_numbers',
  );
  return last?.rows[0]?.number ?? 0;
}
/** Versions by resource, in the order of reading. */
const versionsOf = (changes: readonly Change[]) =>
  Array.from({ length: resourceCount }, (_, id) =>
    changes.filter(({ resource }) => resource === id).map(({ version }) => version),
  );
const upTo = (versions: readonly number[]) =>
  versions.map((version) => Array.from({ length: version }, (_, index) => index + 1));

const step = fc.record({
  writer: fc.nat(writerCount - 1),
  action: fc.oneof(
    { weight: 4, arbitrary: fc.nat(resourceCount - 1) },
    { weight: 3, arbitrary: fc.constantFrom('begin', 'commit', 'rollback', 'savepoint', 'undo', 'work') },
  ),
});

it('shows all events that no running transaction can precede, in the order of the changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let position = await createResources();
      const seen: Change[] = [];
      const readOn = async () => {
        const rows = await database.query(systemScope, readEvents, [position]);
        seen.push(...rows);
        position = rows.at(-1)?.number ?? position;
      };
      const committed = Array.from({ length: resourceCount }, () => 0);
      /** What the open transaction of a writer has changed, and where its savepoint is. */
      const open = new Map<number, { changed: number[]; savepoint: number | null }>();
      const end = async (index: number, command: 'COMMIT' | 'ROLLBACK') => {
        await writers[index]?.query(command);
        if (command === 'COMMIT')
          for (const id of open.get(index)?.changed ?? []) committed[id] = (committed[id] ?? 0) + 1;
        open.delete(index);
      };
      for (const { writer: index, action } of steps) {
        const writer = writers[index];
        const state = open.get(index);
        if (!state) {
          await writer?.query('BEGIN');
          open.set(index, { changed: [], savepoint: null });
        } else if (typeof action === 'number') {
          // Another writer has locked it. To wait for that one would be the end of the test.
          if ([...open].some(([other, { changed }]) => other !== index && changed.includes(action))) continue;
          await writer?.query(change, [action]);
          state.changed.push(action);
        } else if (action === 'commit') await end(index, 'COMMIT');
        else if (action === 'rollback') await end(index, 'ROLLBACK');
        else if (action === 'work') await writer?.query('SELECT pg_current_xact_id()');
        else if (action === 'savepoint') {
          await writer?.query('SAVEPOINT here');
          state.savepoint = state.changed.length;
        } else if (action === 'undo' && state.savepoint !== null) {
          await writer?.query('ROLLBACK TO here');
          // The locks of what stays changed are kept.
          state.changed.length = state.savepoint;
        }
        await readOn();
        expect(versionsOf(seen)).toEqual(upTo(versionsOf(seen).map(({ length }) => length)));
        if ([...open.values()].every(({ changed }) => changed.length === 0))
          expect(versionsOf(seen)).toEqual(upTo(committed));
      }
      for (const index of open.keys()) await end(index, 'COMMIT');
      await readOn();
      expect(versionsOf(seen)).toEqual(upTo(committed));
    }),
    { numRuns: 25 },
  );
});

it('skips no event while transactions end at the same time as it is read', { tags: ['long'] }, async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const random = randomFrom(seed);
  const start = await createResources();
  let isWriting = true;
  const reading = Array.from({ length: 3 }, async () => {
    const seen: Change[] = [];
    let position = start;
    for (let isLast = false; !isLast; ) {
      isLast = !isWriting;
      const rows = await database.query(systemScope, readEvents, [position]);
      seen.push(...rows);
      position = rows.at(-1)?.number ?? position;
    }
    return seen;
  });
  await Promise.all(
    writers.map(async (writer) => {
      for (let count = 0; count < 120; count++) {
        await writer.query('BEGIN');
        if (random(3) === 0) await writer.query('SELECT pg_current_xact_id()');
        // In the order of their ids, so that writers do not wait for each other in a circle.
        for (const id of [0, 1, 2]) if (random(2) === 0) await writer.query(change, [id]);
        if (random(20) === 0) await delay(1);
        await writer.query(random(8) === 0 ? 'ROLLBACK' : 'COMMIT');
      }
    }),
  );
  isWriting = false;
  const { rows = [] } =
    (await writers[0]?.query<{ version: number }>('SELECT version FROM resources ORDER BY id')) ?? {};
  const expected = upTo(rows.map(({ version }) => version));
  for (const seen of await Promise.all(reading)) expect([seed, versionsOf(seen)]).toEqual([seed, expected]);
});
