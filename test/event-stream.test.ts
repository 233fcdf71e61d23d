import { Keyfront, type KeyfrontEvent } from '@keyfront/sdk';
import { describe, expect, it, vi } from 'vitest';
import { createTokens } from '../packages/server/src/auth/tokens.ts';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { ConcurrencyLimiter } from '../packages/server/src/limits/concurrency/concurrency-limiter.ts';
import { parseEventId } from '../packages/server/src/resources/events/event-id.ts';
import { beginSession } from './support/begin-session.ts';
import { followEvents } from './support/event-data.ts';
import { signBound } from './support/sign-bound.ts';
import { dataOf, openCallers, startStorefrontService, type TestHolder } from './support/storefront.ts';
import { insertClient } from './support/storefront-data.ts';
import { testSecret } from './support/test-app.ts';
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

/** Reads the stream of a caller, or of a token, as text, until it is left. */
async function openStream(
  caller: TestHolder | string,
  path = '',
  headers: Record<string, string> = {},
  { origin } = service,
) {
  const leaving = new AbortController();
  const baseUrl = `${origin}/api/v1`;
  const keyfront =
    typeof caller === 'string'
      ? new Keyfront({ baseUrl, token: caller })
      : new Keyfront({ baseUrl, ...credentialsOf(caller) });
  const isSigned = 'signature-input' in headers;
  const signed = isSigned
    ? { url: `${baseUrl}/events/stream${path}`, headers: {} }
    : await keyfront.sign('GET', `/events/stream${path}`, { signatures: 'simple' });
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

function credentialsOf({ apiKey, secretKey }: TestHolder) {
  const pem = secretKey.export({ type: 'pkcs8', format: 'pem' });
  return { apiKey, secretKey: Buffer.from(pem).toString('base64') };
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

describe('ends when a request with the same credential would be refused', () => {
  const setKey = (change: string) => (reader: TestHolder) =>
    sql(`UPDATE api_keys SET ${change} WHERE token_id = $1`, [reader.tokenId]);
  const askOfKey = async (reader: TestHolder, method: string, path: string, body: object) => {
    const [key] = await sql<{ id: string }>('SELECT id FROM api_keys WHERE token_id = $1', [reader.tokenId]);
    expect((await reader.signedIn.ask(method, `/keys/${key?.id}${path}`, { body })).text).toMatch(
      /^{"success":true/,
    );
  };
  const changeKey = (settings: object) => (reader: TestHolder) => askOfKey(reader, 'PATCH', '', settings);

  it.each([
    ['its API key is revoked', setKey('revoked_at = now()')],
    ['its API key expires', setKey(`expires_at = now() + interval '500 milliseconds'`)],
    ['its API key loses the scope', changeKey({ scopes: ['orders:read', 'webhooks:write'] })],
    ['its API key needs bound signatures', changeKey({ signatures: 'bound' })],
    ['its API key moves to another network', changeKey({ allowedNetworks: ['203.0.113.0/24'] })],
    [
      'the overlap of its API key with a successor is over',
      (reader: TestHolder) => askOfKey(reader, 'POST', '/rotate', { overlapSeconds: 1 }),
    ],
    [
      'the digital key changes hands',
      ({ tokenId }: TestHolder) =>
        sql('UPDATE digital_keys SET holder_id = $2 WHERE token_id = $1', [tokenId, stranger.holderId]),
    ],
  ])('%s', async (_reason, end) => {
    const reader = await addDigitalKey();
    const stream = await openStream(reader);
    await until(stream.text, (text) => /: alive\n/.test(text));
    await end(reader);
    await stream.reading;
  });

  const sell = async ({ holderId, tokenId }: TestHolder, primaryTokenId: number | null) => {
    await sql(
      `WITH sold AS (UPDATE digital_keys SET holder_id = $2 WHERE token_id = $1)
       UPDATE holders SET primary_token_id = $4 WHERE id = $3`,
      [tokenId, stranger.holderId, holderId, primaryTokenId],
    );
  };

  it.each([
    [
      'its session is signed out',
      async (_reader: TestHolder, token: string) => {
        expect((await withToken(token).ask('POST', '/auth/signOut')).status).toBe(200);
      },
    ],
    ['its wallet sells its digital key', (reader: TestHolder) => sell(reader, null)],
  ])('%s', async (_reason, end) => {
    const reader = await addWallet();
    const token = await reader.beginSession();
    const stream = await openStream(token);
    await until(stream.text, (text) => /: alive\n/.test(text));
    await end(reader, token);
    await stream.reading;
  });

  it('its token expires', { tags: ['long'] }, async () => {
    const reader = await addWallet();
    // A token is accepted for 60 seconds after its time, because clocks differ.
    const issuedAtMs = Date.now() - 24 * 3_600_000 - 57_000;
    const earlier = createTokens({
      secret: testSecret,
      previousSecret: null,
      now: () => new Date(issuedAtMs),
    });
    const token = await beginSession(sql, earlier, { walletAddress: reader.walletAddress, role: 'holder' });
    await sql(`UPDATE sessions SET expires_at = now() + interval '1 day' WHERE wallet_address = $1`, [
      reader.walletAddress,
    ]);
    const stream = await openStream(token);
    expect(stream.response.status).toBe(200);
    await stream.reading;
  });
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

it('is followed by the SDK without a gap, when connections are cut at random', {
  tags: ['long'],
}, async () => {
  const reader = await addDigitalKey();
  const leaving = new AbortController();
  const cut: AbortController[] = [];
  const client = new Keyfront({
    ...{ baseUrl: `${service.origin}/api/v1`, ...credentialsOf(reader) },
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

/** Opens a stream with a bound signature that has these parameters too. */
const openBoundStream = (reader: TestHolder, more: string, on = service) =>
  openStream(
    reader,
    '',
    signBound(
      reader.secretKey,
      { method: 'GET', url: `${on.origin}/api/v1/events/stream` },
      { created: Math.floor(Date.now() / 1000) - 290, more },
    ),
    on,
  );

it('goes on after the five minutes of a bound signature that names no end', async () => {
  const stream = await openBoundStream(await addDigitalKey(), '');
  const readClock = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => readClock() + 60_000);
  try {
    const comments = () => stream.text().split(': alive').length;
    const before = comments();
    await until(comments, (count) => count > before + 2);
    expect(stream.isOpen()).toBe(true);
  } finally {
    clock.mockRestore();
    await stream.leave();
  }
});

describe('with a long pause between comments', async () => {
  const own = await startStorefrontService((url) => new ChangeFeed({ url }), {
    eventStreams: { heartbeatMs: 2_000 },
  });
  const callers = await openCallers(own);

  it('ends when its credential is no longer accepted, also while events leave no time for a comment', {
    tags: ['long'],
  }, async () => {
    const reader = await callers.addDigitalKey();
    const stream = await openStream(reader, '?type=client.*', {}, own.service);
    const writing = (async () => {
      while (stream.isOpen()) await insertClient(callers.sql, reader.tokenId);
    })();
    await until(stream.ids, (ids) => ids.length > 5);
    // A busy machine may have been too slow for the first events.
    const earlier = stream.text().length;
    await callers.sql('UPDATE api_keys SET revoked_at = now() WHERE token_id = $1', [reader.tokenId]);
    try {
      await until(stream.isOpen, (isOpen) => !isOpen);
    } finally {
      await stream.leave();
      await writing;
    }
    expect(stream.text().slice(earlier)).not.toContain(': alive');
  });

  it('ends when its bound signature expires', { tags: ['long'] }, async () => {
    const reader = await callers.addDigitalKey();
    const expires = Math.floor(Date.now() / 1000) + 1;
    const stream = await openBoundStream(reader, `;expires=${expires}`, own.service);
    expect(stream.response.status).toBe(200);
    await stream.reading;
    // The signature is accepted until this second is over.
    expect(Date.now()).toBeGreaterThanOrEqual((expires + 1) * 1000 - 20);
  });

  it('ends when the service shuts down', async () => {
    const stream = await openStream(callers.holder, '', {}, own.service);
    await own.service.app.close();
    await stream.reading;
    expect(stream.text()).toMatch(/^: Keyfront events/);
  });
});
