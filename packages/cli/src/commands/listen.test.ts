import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWebhook } from '@keyfront/sdk';
import { expect, it } from 'vitest';
import {
  baseUrl,
  type CliHarness,
  createHarness,
  failure,
  makeKeyPair,
  type Respond,
  type SentRequest,
  success,
} from '../../test/cli-harness.ts';

const eventOf = (number: number, type: string, createdAt = '2026-11-15T09:30:00.000Z') => ({
  id: `evt_${String(number).padStart(29, '0')}`,
  type,
  createdAt,
  tokenId: 7,
  data: { id: `resource-${number}` },
});
const first = eventOf(1, 'order.created');
const second = eventOf(2, 'payment.paid', '2026-11-15T10:00:00.000Z');

/** A stream that brings these events, and then nothing more. */
function streamOf(...events: { id: string }[]): Response {
  const text = events.map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const stream = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

const stateFile = ({ context }: CliHarness) =>
  join(String(context.env.KEYFRONT_CONFIG), '..', 'listen', 'default.json');
const readState = (harness: CliHarness) =>
  existsSync(stateFile(harness)) ? parse(readFileSync(stateFile(harness), 'utf8')) : {};
const parse = (text: string) => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const writeState = (harness: CliHarness, text: string) => {
  mkdirSync(dirname(stateFile(harness)), { recursive: true });
  writeFileSync(stateFile(harness), text);
};

/** Runs `listen` until it has handled this event. */
async function listenUntil(harness: CliHarness, id: string, ...options: string[]) {
  const running = harness.run('listen', ...options);
  while (readState(harness).lastEventId !== id) await delay(5);
  harness.interrupt();
  return running;
}

const queryOf = ({ target }: SentRequest) => Object.fromEntries(new URL(target, 'http://x').searchParams);

it('says on stderr that it waits, and for what', async () => {
  const harness = createHarness({ respond: () => streamOf(first) });
  const { stderr, stdout } = await listenUntil(harness, first.id, '--json');
  expect(stderr).toBe(`Waiting for events at ${baseUrl}. Ctrl+C ends it\n`);
  expect(JSON.parse(stdout)).toEqual(first);
  const again = await listenUntil(
    createHarness({ respond: () => streamOf(second) }),
    second.id,
    ...['--events', 'payment.*'],
  );
  expect(again.stderr).toBe(`Waiting for events of payment.* at ${baseUrl}. Ctrl+C ends it\n`);
});

it('prints events as they come, and continues after the last one the next time', async () => {
  const harness = createHarness({ respond: () => streamOf(first, second) });
  const { stdout, code } = await listenUntil(harness, second.id);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    [first.createdAt, first.type, first.id],
    [second.createdAt, second.type, second.id],
  ]);
  expect(code).toBe(130);
  expect(queryOf(harness.requests[0] as SentRequest)).toEqual({});

  const third = eventOf(3, 'order.shipped');
  const env = Object.fromEntries(
    Object.entries(harness.context.env).map(([name, value]) => [name, String(value)]),
  );
  const again = createHarness({ env, respond: () => streamOf(third) });
  await listenUntil(again, third.id, '--events', 'order.*');
  expect(queryOf(again.requests[0] as SentRequest)).toEqual({ type: 'order.*', after: second.id });
  // Another service has other events.
  const other = createHarness({
    env: { ...env, ...makeEnv('http://other.test') },
    respond: () => streamOf(first),
  });
  await listenUntil(other, first.id);
  expect(queryOf(other.requests[0] as SentRequest)).toEqual({});
});

it('remembers where it began, so that the next one also gets what happens before the first event', async () => {
  const position = eventOf(7, '').id;
  const begin = `: Keyfront events\nretry: 1000\nid: ${position}\n\n`;
  const harness = createHarness({
    respond: () => new Response(begin, { headers: { 'content-type': 'text/event-stream' } }),
  });
  await listenUntil(harness, position);
  const env = Object.fromEntries(
    Object.entries(harness.context.env).map(([name, value]) => [name, String(value)]),
  );
  const again = createHarness({ env, respond: () => streamOf(eventOf(8, 'order.created')) });
  await listenUntil(again, eventOf(8, '').id);
  expect(queryOf(again.requests[0] as SentRequest)).toEqual({ after: position });
});

function makeEnv(url: string) {
  const { apiKey, secretKey } = makeKeyPair();
  return { KEYFRONT_URL: url, KEYFRONT_API_KEY: apiKey, KEYFRONT_SECRET_KEY: secretKey };
}

it('begins with the events of --since, and follows what comes after them', async () => {
  const third = eventOf(3, 'order.shipped');
  const respond: Respond = ({ target }) =>
    target.startsWith('/events/stream')
      ? streamOf(third)
      : success({ events: [first, second], hasMore: false, nextAfter: second.id });
  const harness = createHarness({ respond, now: new Date('2026-11-15T10:30:00.000Z') });
  const { stdout } = await listenUntil(harness, third.id, '--since', '45m', '--json');
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([second.id, third.id]);
  expect(queryOf(harness.requests.at(-1) as SentRequest)).toEqual({ after: second.id });
  expect(await createHarness().run('listen', '--since', 'yesterday')).toMatchObject({ code: 2 });
});

it.each([
  ['EVENTS_EXPIRED', 'no longer kept'],
  ['EVENT_POSITION_UNKNOWN', 'created anew or restored'],
])('says how to go on if the service cannot continue after the last event: %s', async (code, reason) => {
  const harness = createHarness({ respond: () => failure(404, 'No', { code }) });
  const { url, secret } = { url: baseUrl, secret: 'whsec_abc' };
  writeState(harness, JSON.stringify({ url, secret, lastEventId: first.id }));
  const { code: exitCode, stderr } = await harness.run('listen');
  expect(exitCode).toBe(4);
  expect(stderr).toContain(reason);
  expect(stderr).toContain('--since now');
  // The position stays: whoever wants to know what was missed may still look at it.
  expect(readState(harness).lastEventId).toBe(first.id);
});

it('begins with new events if --since is now', async () => {
  const harness = createHarness({ respond: () => streamOf(second) });
  writeState(harness, JSON.stringify({ url: baseUrl, secret: 'whsec_abc', lastEventId: first.id }));
  await listenUntil(harness, second.id, '--since', 'now');
  expect(harness.requests.map(({ target }) => target)).toEqual(['/events/stream']);
  expect(readState(harness).secret).toBe('whsec_abc');
});

it.each(['{"url":', '[]'])('warns if the remembered position cannot be read: %s', async (text) => {
  const harness = createHarness({ respond: () => streamOf(first) });
  writeState(harness, text);
  const { stderr } = await listenUntil(harness, first.id);
  expect(stderr).toContain(`${stateFile(harness)} cannot be read`);
  const { stderr: silent } = await listenUntil(createHarness({ respond: () => streamOf(first) }), first.id);
  expect(silent).not.toContain('cannot be read');
});

it('says once that the receiver cannot be reached, and once that it can again', async () => {
  const failing = new Set([1, 2, 5]);
  let attempts = 0;
  const respond: Respond = ({ target }) => {
    if (target.startsWith('/events')) return streamOf(first, second, eventOf(3, 'order.shipped'));
    attempts += 1;
    if (failing.has(attempts)) throw new TypeError('fetch failed');
    return new Response(null, { status: 204 });
  };
  const harness = createHarness({ respond });
  const options = ['--forward-to', 'http://localhost:4000/hook'];
  const { stderr } = await listenUntil(harness, eventOf(3, '').id, ...options);
  const notes = stderr.split('\n').filter((line) => line.includes('reached'));
  expect(notes).toEqual([
    'http://localhost:4000/hook cannot be reached: waiting',
    'http://localhost:4000/hook can be reached again',
    'http://localhost:4000/hook cannot be reached: waiting',
    'http://localhost:4000/hook can be reached again',
  ]);
});

it('forwards events signed, and waits for a receiver that is restarted', async () => {
  const received: SentRequest[] = [];
  let failures = 2;
  const respond: Respond = (request) => {
    if (request.target.startsWith('/events')) return streamOf(first);
    received.push(request);
    if (failures-- > 0) throw new TypeError('fetch failed');
    return new Response(null, { status: 204 });
  };
  const harness = createHarness({ respond });
  const { stdout, stderr } = await listenUntil(
    harness,
    first.id,
    '--forward-to',
    'http://localhost:4000/hook',
  );
  expect(stdout).toMatch(/order\.created .* 204 in \d+ ms\n$/);
  expect(received).toHaveLength(3);
  const { secret } = readState(harness);
  expect(stderr).toContain(`Forwarding to http://localhost:4000/hook, signed with ${secret}`);
  expect(stderr.match(/cannot be reached: waiting/g)).toHaveLength(1);
  const { body, headers } = received[2] as SentRequest;
  expect(await verifyWebhook(body, headers, secret)).toEqual(first);
});
