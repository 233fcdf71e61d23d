import { randomUUID } from 'node:crypto';
import { statement } from '@keyfront/postgres';
import { roundTripsOf, takesIdempotencyKey } from '@keyfront/protocol';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { systemScope } from '../packages/server/src/database/transactions/scope.ts';
import { KeyUses } from '../packages/server/src/resources/keys/key-uses.ts';
import { findOperation, idOf, openOperationRequests, type Send } from './support/operation-requests.ts';
import { openQuietStorefront } from './support/quiet-storefront.ts';
import { countRoundTrips } from './support/round-trips.ts';
import { isLongRun } from './support/scale.ts';
import { dataOf, type Reply } from './support/storefront.ts';

interface Cost {
  /** How often a request waits for the database. */
  readonly roundTrips: number;
  /** The same for a POST that brings an Idempotency-Key. */
  readonly withKey?: number;
  /** The same for that POST when it comes again. */
  readonly replayed?: number;
}

/** What the operation table declares for an operation or a variant of it. */
function costOf(name: string): Cost {
  const operation = findOperation(name);
  const { first, withKey, replayed } = roundTripsOf(operation);
  const words = name.slice(operation.id.length + 1);
  const afterChange = words === 'after a change' ? 1 : undefined;
  const roundTrips = afterChange ?? operation.variants?.[words]?.roundTrips ?? first;
  return takesIdempotencyKey(operation)
    ? { roundTrips, withKey: withKey ?? roundTrips, replayed }
    : { roundTrips };
}

// Uses of keys are written every few seconds, whatever is asked meanwhile.
vi.spyOn(KeyUses.prototype, 'flush').mockResolvedValue();
const storefront = await openQuietStorefront();
const { stranger, sibling, service, countVerifications } = storefront;
const trips = countRoundTrips(service.loginUrl);
afterAll(() => {
  trips.stop();
  vi.restoreAllMocks();
});
const short = await openOperationRequests(storefront, 1);
const long = await openOperationRequests(storefront, 5);
// Opens the connections and fills the lists of the holder. The stranger is left with nothing.
for (const name of long.names) await spend(await long.prepare(name));

/** Sends a request that must succeed, and tells what the service spent on it. */
async function spend(send: Send) {
  const tripsBefore = trips.count;
  const verificationsBefore = countVerifications();
  const reply = await send();
  if (reply.status >= 300) throw new Error(`${reply.status}: ${reply.text}`);
  return {
    roundTrips: trips.count - tripsBefore,
    curveVerifications: countVerifications() - verificationsBefore,
    reply,
  };
}

/** The envelope repeats the status of the operation. Pages and files have none. */
function expectSuccess(name: string, reply: Reply): void {
  const { page, status } = findOperation(name);
  expect([reply.status, reply.headers.get('x-request-id')]).toEqual([status, expect.stringMatching(/\S/)]);
  if (page || name === 'exportOrders as CSV') return;
  expect(reply.envelope).toMatchObject({ statusCode: status, success: true, message: 'Success' });
}

const { names } = short;
const takesSignature = (name: string) => findOperation(name).access === 'credential';

const requestsByLength = {
  'several lines': long,
  // One line costs no more. `npm run test:long` makes sure.
  ...(isLongRun ? { 'one line': short } : {}),
};
describe.each(Object.entries(requestsByLength))(
  'where carts, orders and histories have %s',
  (_length, { prepare }) => {
    /** What a POST costs with an Idempotency-Key. */
    async function costsWithKey(name: string): Promise<Pick<Cost, 'withKey' | 'replayed'>> {
      const send = await prepare(name, { idempotencyKey: randomUUID() });
      const [first, again] = [await spend(send), await spend(send)];
      expect(first.reply.headers.has('idempotent-replayed')).toBe(false);
      expect(again.reply.headers.has('idempotent-replayed')).toBe(true);
      return { withKey: first.roundTrips, replayed: again.roundTrips };
    }

    it.each(names)(
      '%s succeeds with as many round trips as declared, and verifies a signature once',
      async (name) => {
        // The first one fills the caches.
        await spend(await prepare(name));
        const send = await prepare(name);
        const { roundTrips, curveVerifications, reply } = await spend(send);
        expectSuccess(name, reply);
        expect(curveVerifications).toBe(takesSignature(name) ? 1 : 0);
        if (takesSignature(name)) {
          const before = countVerifications();
          // What has been done cannot be done again, which the guard does not know.
          await send();
          expect(countVerifications() - before).toBe(0);
        }
        const more = takesIdempotencyKey(findOperation(name)) ? await costsWithKey(name) : {};
        expect({ roundTrips, ...more }).toEqual(costOf(name));
      },
    );
  },
);

describe('for a holder without data', () => {
  const ownReads = names.filter((name) => {
    const { method, path } = findOperation(name);
    return method === 'GET' && takesSignature(name) && !path.includes('{') && name === idOf(name);
  });
  it.each(ownReads)('%s costs the same', async (name) => {
    await spend(await short.prepare(name, { caller: stranger }));
    const { roundTrips } = await spend(await short.prepare(name, { caller: stranger }));
    expect({ roundTrips }).toEqual(costOf(name));
  });
});

describe('a credential', () => {
  it.each(names.filter(takesSignature))(
    'of %s may be a JWT: no verification on the curve, and one query for its holder',
    async (name) => {
      // The response may have left the cache since the last change.
      if (costOf(name).roundTrips === 0) await spend(await short.prepare(name));
      // It has a holder of its own, whose session is not cached yet.
      if (name === 'resetSandbox') await spend(await short.prepare(name, { as: 'signedIn' }));
      const { roundTrips, curveVerifications } = await spend(await short.prepare(name, { as: 'signedIn' }));
      expect({ roundTrips, curveVerifications }).toEqual({
        roundTrips: costOf(name).roundTrips + 1,
        curveVerifications: 0,
      });
    },
  );

  it('costs one more query when its key is not cached', async () => {
    const list = async () =>
      (await spend(await short.prepare('listClients', { caller: sibling }))).roundTrips;
    expect([await list(), await list()]).toEqual([2, 1]);
  });
});

describe('the count of round trips', () => {
  const nothing = statement('nothing', 'SELECT');
  const { database } = service;

  const lists = names.filter((name) => /^list\w+$/.test(name));
  it.each(lists)('includes %s with several rows', async (name) => {
    const data = dataOf<Record<string, unknown>>((await spend(await short.prepare(name))).reply);
    const rows = Object.values(data).find((value) => Array.isArray(value));
    expect(rows?.length).toBeGreaterThan(1);
  });

  it('counts pipelined queries as one', async () => {
    const before = trips.count;
    await database.transaction(systemScope, (tx) => Promise.all([tx(nothing), tx(nothing)]));
    expect(trips.count - before).toBe(2);
  });

  it('counts sequential queries separately', async () => {
    const before = trips.count;
    await database.transaction(systemScope, async (tx) => {
      await tx(nothing);
      await tx(nothing);
    });
    expect(trips.count - before).toBe(3);
  });
});
