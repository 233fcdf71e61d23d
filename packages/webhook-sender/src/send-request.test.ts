import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { behaviours, startReceiver, type WebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import type { EndpointRules } from './endpoint-url.ts';
import { createSender } from './send-request.ts';

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const { signal } = new AbortController();
const loopback: EndpointRules = { allowsLoopback: true, resolve: async () => ['127.0.0.1'] };
const send = (url: string, endpoints = loopback, deadlineMs = 400) =>
  createSender({ endpoints, deadlineMs })({ url, headers: { 'x-test': 'yes' }, body: '{"a":1}', signal });

it('sends the body, and returns the status and the start of the response', async () => {
  receiver.paths.set('/long', (response) => response.end(`\0${'é'.repeat(2000)}`));
  const response = await send(`${receiver.url}/long`);
  expect(response).toEqual({
    status: 200,
    durationMs: expect.any(Number),
    body: expect.stringMatching(/^\uFFFDé{511}/),
    failure: null,
  });
  expect(receiver.at('/long')).toMatchObject([{ body: '{"a":1}', headers: { 'x-test': 'yes' } }]);
});

it.each([
  ['error', 500, 'The endpoint responded with 500'],
  ['redirect', 302, 'The endpoint responded with 302: redirects are not followed'],
  ['close', null, 'The endpoint closed the connection without a response'],
  ['garbage', null, /^The endpoint did not respond with valid HTTP/],
  ['hang', null, /^The endpoint did not respond within/],
  ['slow', null, /^The endpoint did not respond within/],
  ['endlessBody', null, /^The endpoint did not respond within/],
] as const)('fails if the endpoint does this: %s', async (name, status, failure) => {
  receiver.paths.set(`/${name}`, behaviours[name]);
  const response = await send(`${receiver.url}/${name}`);
  expect(response).toMatchObject({
    status,
    failure: failure instanceof RegExp ? expect.stringMatching(failure) : failure,
  });
  expect(response.body.length).toBeLessThanOrEqual(1024);
  expect(response.durationMs).toBeLessThan(5_000);
  expect(receiver.at('/ok')).toEqual([]);
});

it('fails at once if the endpoint switches to another protocol', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await send(`http://127.0.0.1:${port}/`, loopback, 60_000)).toMatchObject({
    status: null,
    failure: 'The endpoint responded with 101',
  });
  // The connection is closed, too: otherwise the server would not.
  server.close();
  await once(server, 'close');
});

it('fails if nobody listens', async () => {
  const closed = await startReceiver();
  await closed.close();
  expect(await send(`${closed.url}/`)).toMatchObject({
    status: null,
    failure: 'The endpoint refused the connection',
  });
});

it('never connects to an address that is not public, whatever the name said before', async () => {
  const before = receiver.received.length;
  const rebound = { allowsLoopback: false, resolve: async () => ['127.0.0.1'] };
  const mixed = { allowsLoopback: false, resolve: async () => ['192.0.32.8', '::ffff:127.0.0.1'] };
  for (const [url, endpoints] of [
    [`https://rebound.example:${receiver.port}/`, rebound],
    [`https://mixed.example:${receiver.port}/`, mixed],
    [`http://rebound.example:${receiver.port}/`, rebound],
    [`https://127.0.0.1:${receiver.port}/`, rebound],
    [`https://[::ffff:127.0.0.1]:${receiver.port}/`, rebound],
    [`http://169.254.169.254/`, loopback],
    [`http://public.example/`, { allowsLoopback: true, resolve: async () => ['192.0.32.8'] }],
  ] as const) {
    expect(await send(url, endpoints)).toMatchObject({
      status: null,
      failure: 'The host has an address that is not public',
    });
  }
  const unknown = { allowsLoopback: false, resolve: async () => [] };
  expect(await send('https://unknown.example/', unknown)).toMatchObject({
    failure: 'The host has no address',
  });
  expect(receiver.received.length).toBe(before);
});

it('asks for a name without the dot at its end', async () => {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return ['127.0.0.1'];
  };
  const response = await send(`http://localhost.:${receiver.port}/dot`, { allowsLoopback: true, resolve });
  expect(response).toMatchObject({ status: 200, failure: null });
  expect(asked).toEqual(['localhost']);
});

it('resolves a name again for each connection', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']];
  const endpoints = { allowsLoopback: true, resolve: async () => answers.shift() ?? [] };
  const sender = createSender({ endpoints, deadlineMs: 5_000 });
  receiver.paths.set('/once', (response) => response.setHeader('connection', 'close').end());
  const request = { url: `http://changing.example:${receiver.port}/once`, headers: {}, body: '', signal };
  expect(await sender(request)).toMatchObject({ status: 200 });
  expect(await sender(request)).toMatchObject({ failure: 'The host has an address that is not public' });
});

it('rejects when the process shuts down', async () => {
  const stopping = new AbortController();
  receiver.paths.set('/hang', (_response) => stopping.abort());
  const sender = createSender({ endpoints: loopback });
  const request = { url: `${receiver.url}/hang`, headers: {}, body: '', signal: stopping.signal };
  await expect(sender(request)).rejects.toThrow();
});
