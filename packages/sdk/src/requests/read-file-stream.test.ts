import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ConnectionError, ForbiddenError } from '../errors.ts';
import { readFile } from './read-file.ts';
import { Transport } from './transport.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener, { timeoutMs = 5_000 } = {}) {
  server = createServer((asked, answer) => {
    answer.setHeader('content-type', 'text/csv; charset=utf-8');
    listener(asked, answer);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new Transport({
    baseUrl: `http://127.0.0.1:${port}`,
    token: 'a.b.c',
    timeoutMs,
    runtime: { delay: async () => undefined },
  });
}

/** A file whose end never comes; `closed` is when the service sees that the reader has gone. */
async function serveWithoutEnd(options?: { timeoutMs: number }) {
  let leave = () => {};
  const closed = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const transport = await serve((_asked, answer) => {
    answer.on('close', leave);
    answer.write('a,b\r\n');
  }, options);
  return { transport, closed };
}

const request = { method: 'GET', path: '/orders/export', headers: { accept: 'text/csv' } };

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += new TextDecoder().decode(piece);
  return text;
}

it('gives all pieces, and asks for the file when the first is read', async () => {
  let requests = 0;
  const transport = await serve((asked, answer) => {
    requests++;
    answer.write(`${asked.headers.accept}\r\n`);
    answer.end('a,b\r\n');
  });
  const stream = readFile(transport, request);
  expect(requests).toBe(0);
  expect(await readAll(stream)).toBe('text/csv\r\na,b\r\n');
  expect(requests).toBe(1);
});

it('fails when the answer breaks off in the middle', async () => {
  const transport = await serve((_asked, answer) => {
    answer.write('a,b\r\n', () => answer.destroy());
  });
  await expect(readAll(readFile(transport, request))).rejects.toThrow(ConnectionError);
});

it('fails with what the service says in place of a file', async () => {
  const transport = await serve((_asked, answer) => {
    answer.writeHead(403, { 'content-type': 'application/json' });
    answer.end('{"success":false,"statusCode":403,"message":"Forbidden","data":null}');
  });
  await expect(readAll(readFile(transport, request))).rejects.toThrow(ForbiddenError);
});

it.each([
  ['text/html', '<html>Welcome</html>', 'does not come from a Keyfront'],
  ['application/json', '{"success":true,"statusCode":200,"message":"Success","data":{}}', 'not the file'],
])('fails with an answer of %s, which is no file', async (type, body, sentence) => {
  const transport = await serve((_asked, answer) => {
    answer.writeHead(200, { 'content-type': type });
    answer.end(body);
  });
  await expect(readAll(readFile(transport, request))).rejects.toThrow(sentence);
});

it('asks again as long as nothing has come', async () => {
  let requests = 0;
  const transport = await serve((_asked, answer) => {
    if (++requests < 3) answer.destroy();
    else answer.end('a,b\r\n');
  });
  expect(await readAll(readFile(transport, request))).toBe('a,b\r\n');
  expect(requests).toBe(3);
});

it('lets the connection go when the reader has had enough', async () => {
  const { transport, closed } = await serveWithoutEnd();
  for await (const _piece of readFile(transport, request)) break;
  await closed;
});

it('does not go on after an abort between two pieces', async () => {
  const { transport, closed } = await serveWithoutEnd();
  const controller = new AbortController();
  const reader = readFile(transport, { ...request, signal: controller.signal }).getReader();
  await reader.read();
  controller.abort(new Error('enough'));
  await expect(reader.read()).rejects.toThrow('enough');
  await closed;
});

it('fails when nothing comes for too long', async () => {
  const { transport } = await serveWithoutEnd({ timeoutMs: 200 });
  await expect(readAll(readFile(transport, request))).rejects.toThrow('within 200 ms');
});

it('ends with the signal of the caller', async () => {
  const { transport, closed } = await serveWithoutEnd();
  const controller = new AbortController();
  const reader = readFile(transport, { ...request, signal: controller.signal }).getReader();
  await reader.read();
  const next = reader.read();
  controller.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
  await closed;
});
