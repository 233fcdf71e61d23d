import { Keyfront, type KeyfrontEvent } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/change-feed.ts';
import { ConcurrencyLimiter } from '../packages/server/src/pipeline/concurrency-limiter.ts';
import { parseEventId } from '../packages/server/src/resources/events/event-id.ts';
import { followEvents } from './support/event-data.ts';
import { dataOf, openCallers, startStorefrontService, type TestHolder } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';
import { until } from './support/until.ts';

const streams = new ConcurrencyLimiter({
  ...{ name: 'stream', maxConcurrent: 100, maxConcurrentPerCaller: 3, maxQueuedPerCaller: 1 },
  ...{ queueTimeoutMs: 50, rejectionDelayMs: 0 },
});
const opened = await startStorefrontService((url) => new ChangeFeed({ url }), {
  eventStreams: { heartbeatMs: 100 },
  concurrencyLimits: { streams },
});
const { holder, stranger, addDigitalKey, addWallet, withToken, admin, sql, service } =
  await openCallers(opened);

const base = `${service.origin}/api/v1`;

/** Reads the stream of a caller, or of a token, as text, until it is left. */
async function openStream(caller: TestHolder | string, path = '', headers: Record<string, string> = {}) {
  const leaving = new AbortController();
  const keyfront =
    typeof caller === 'string' ? new Keyfront({ baseUrl: base, token: caller }) : clientOf(caller);
  const signed = await keyfront.sign('GET', `/events/stream${path}`);
  const response = await fetch(signed.url, {
    headers: { ...signed.headers, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  let text = '';
  let isOpen = true;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })()
    .catch(() => undefined)
    .finally(() => {
      isOpen = false;
    });
  return {
    response,
    text: () => text,
    isOpen: () => isOpen,
    ids: () => [...text.matchAll(/^id: (evt_\w+)\ndata: /gm)].map(([, id]) => id),
    lastId: () => [...text.matchAll(/^id: (evt_\w+)$/gm)].at(-1)?.[1] ?? '',
    leave: async () => {
      leaving.abort();
      await reading;
    },
    reading,
  };
}

function clientOf({ apiKey, secretKey }: TestHolder): Keyfront {
  const pem = secretKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return new Keyfront({ baseUrl: base, apiKey, secretKey: Buffer.from(pem).toString('base64') });
}

it('begins at an event, because a crash of PostgreSQL lets the ids of other transactions be used again', async () => {
  const reader = await addDigitalKey();
  const lastId = (await followEvents(reader).waitFor('key.created')).at(-1)?.id ?? '';
  for (let count = 0; count < 3; count++) await sql('SELECT pg_current_xact_id()');
  const stream = await openStream(reader);
  await until(stream.lastId, (id) => id !== '');
  const [begin, last] = [stream.lastId(), lastId].map(parseEventId);
  const [row] = await sql<{ sequenceNumber: number }>(
    'SELECT sequence_number::int AS "sequenceNumber" FROM events WHERE transaction_number = $1 ORDER BY 1 DESC LIMIT 1',
    [begin?.transactionNumber],
  );
  expect(row?.sequenceNumber).toBe(begin?.sequenceNumber);
  expect(begin?.transactionNumber).toBeGreaterThanOrEqual(last?.transactionNumber ?? Number.NaN);
  await stream.leave();
});

it('sends new events with their ids, and comments while there are none', async () => {
  const reader = await addDigitalKey();
  const stream = await openStream(reader, '?type=client.*');
  expect([stream.response.status, stream.response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ]);
  await until(stream.text, (text) => /: alive\n/.test(text));
  await insertClient(sql, reader.tokenId, { firstName: 'Streamed' });
  await insertClient(sql, stranger.tokenId, { firstName: 'Unseen' });
  await until(stream.ids, (ids) => ids.length === 1);
  const listed = await followEvents(reader, 'client.*').readOn();
  expect(stream.ids()).toEqual(listed.map(({ id }) => id));
  const [, data = ''] = /^data: (.*)$/m.exec(stream.text()) ?? [];
  expect(JSON.parse(data)).toEqual(listed[0]);
  expect(stream.text()).not.toContain('Unseen');
  await stream.leave();
});

it('continues after the last id, also one that came without an event', async () => {
  const reader = await addDigitalKey();
  const first = await openStream(reader, '?type=client.*');
  await until(first.lastId, (id) => id !== '');
  await first.leave();
  for (const firstName of ['One', 'Two', 'Three']) await insertClient(sql, reader.tokenId, { firstName });
  const second = await openStream(reader, '?type=client.*', { 'last-event-id': first.lastId() });
  await until(second.ids, (ids) => ids.length === 3);
  await second.leave();
  const third = await openStream(reader, `?type=client.*&after=${second.ids()[0]}`);
  await until(third.ids, (ids) => ids.length === 2);
  expect(third.ids()).toEqual(second.ids().slice(1));
  await third.leave();
});

it('answers with JSON to those who ask for it, and with ordinary errors', async () => {
  const page = await holder.ask('GET', '/events/stream', { headers: { accept: 'application/json' } });
  expect(dataOf(page)).toMatchObject({ events: expect.any(Array), hasMore: false });
  for (const [path, headers, status, code] of [
    ['?type=order.exploded', {}, 400, 'VALIDATION_FAILED'],
    ['', { 'last-event-id': 'evt_1' }, 400, 'VALIDATION_FAILED'],
    ['', { 'last-event-id': `evt_${'0'.repeat(29)}` }, 404, 'EVENTS_EXPIRED'],
  ] as const) {
    const reply = await holder.ask('GET', `/events/stream${path}`, { headers });
    expect([path, reply.status, reply.envelope.code]).toEqual([path, status, code]);
  }
  expect((await admin.ask('GET', '/events/stream')).envelope.code).toBe('HOLDER_REQUIRED');
});

it('ends when the API key is revoked, and when the digital key changes hands', async () => {
  const [revoked, sold] = [await addDigitalKey(), await addDigitalKey()];
  const streams = [await openStream(revoked), await openStream(sold)];
  for (const stream of streams) await until(stream.text, (text) => /: alive\n/.test(text));
  await sql('UPDATE api_keys SET revoked_at = now() WHERE token_id = $1', [revoked.tokenId]);
  await sql('UPDATE digital_keys SET holder_id = $2 WHERE token_id = $1', [sold.tokenId, stranger.holderId]);
  for (const stream of streams) await stream.reading;
});

it('ends when the session of its token ends, also while events keep coming', async () => {
  const reader = await addWallet();
  const token = await reader.beginSession();
  const stream = await openStream(token, '?type=client.*');
  await until(stream.text, (text) => /: alive\n/.test(text));
  let isWriting = true;
  const writing = (async () => {
    while (isWriting) await insertClient(sql, reader.tokenId);
  })();
  await until(stream.ids, (ids) => ids.length > 5);
  expect((await withToken(token).ask('POST', '/auth/signOut')).status).toBe(200);
  await stream.reading;
  isWriting = false;
  await writing;
});

it('lets a wallet open only so many streams', async () => {
  const taken = [];
  for (let count = 0; count < 3; count++) taken.push(await openStream(stranger));
  expect(taken.map(({ response }) => response.status)).toEqual([200, 200, 200]);
  const refused = await openStream(stranger);
  expect(refused.response.status).toBe(429);
  await Promise.all(taken.map((stream) => stream.leave()));
  await until(
    async () => {
      const stream = await openStream(stranger);
      await stream.leave();
      return stream.response.status;
    },
    (status) => status === 200,
  );
});

it('loses no event that comes while the stream checks its credential', async () => {
  const reader = await addDigitalKey();
  const stream = await openStream(reader, '?type=client.*');
  await until(stream.text, (text) => /: alive\n/.test(text));
  const count = 60;
  for (let index = 0; index < count; index++) {
    await insertClient(sql, reader.tokenId);
    // Spread over the moments between two comments.
    await new Promise((resolve) => setTimeout(resolve, index % 7));
  }
  await until(stream.ids, (ids) => ids.length === count);
  await stream.leave();
});

it('is followed by the SDK without a gap, when connections are cut at random', async () => {
  const reader = await addDigitalKey();
  const leaving = new AbortController();
  const cut: AbortController[] = [];
  const client = new Keyfront({
    ...{ baseUrl: base, apiKey: reader.apiKey },
    secretKey: Buffer.from(reader.secretKey.export({ type: 'pkcs8', format: 'pem' }).toString()).toString(
      'base64',
    ),
    // Cuts off the body after the response has begun.
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const [cutter, reading] = [new AbortController(), response.body?.getReader()];
      cut.push(cutter);
      const body = new ReadableStream({
        start: (controller) =>
          cutter.signal.addEventListener('abort', () => {
            controller.error(new TypeError('cut off'));
            void reading?.cancel();
          }),
        pull: async (controller) => {
          const chunk = await reading?.read();
          if (cutter.signal.aborted) return;
          if (chunk?.value) controller.enqueue(chunk.value);
          else controller.close();
        },
      });
      return new Response(body, response);
    },
  });
  const seen: KeyfrontEvent[] = [];
  const following = (async () => {
    for await (const event of client.events.stream({ type: 'client.*' }, { signal: leaving.signal }))
      seen.push(event);
  })().catch((error) => (leaving.signal.aborted ? undefined : Promise.reject(error)));
  await until(
    () => cut.length,
    (count) => count > 0,
  );
  const count = 40;
  for (let index = 0; index < count; index++) {
    await insertClient(sql, reader.tokenId, { firstName: `Number ${index}` });
    if (index % 10 !== 5) continue;
    const connections = cut.length;
    cut.at(-1)?.abort();
    // Some are written while there is no connection, and some when there is one again.
    if (index % 20 === 5)
      await until(
        () => cut.length,
        (now) => now > connections,
      );
  }
  await until(
    () => seen.length,
    (length) => length >= count,
  );
  expect(seen.map(({ data }) => Reflect.get(data, 'firstName'))).toEqual(
    Array.from({ length: count }, (_, index) => `Number ${index}`),
  );
  leaving.abort();
  await following;
  expect(cut.length).toBeGreaterThan(2);
});

it('ends all streams when the service shuts down', async () => {
  const own = await startStorefrontService((url) => new ChangeFeed({ url }));
  const callers = await openCallers(own);
  const signed = await new Keyfront({
    baseUrl: `${callers.service.origin}/api/v1`,
    apiKey: callers.holder.apiKey,
    secretKey: Buffer.from(
      callers.holder.secretKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ).toString('base64'),
  }).sign('GET', '/events/stream');
  const response = await fetch(signed.url, { headers: { ...signed.headers, accept: 'text/event-stream' } });
  const reading = response.text();
  await own.service.app.close();
  expect(await reading).toMatch(/^: Keyfront events/);
});
