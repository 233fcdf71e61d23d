import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ConnectionError, ForbiddenError } from '../errors.ts';
import { readFileStream } from './read-file-stream.ts';
import { Transport } from './transport.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener, { timeoutMs = 5_000 } = {}) {
  server = createServer((request, response) => {
    response.setHeader('content-type', 'text/csv; charset=utf-8');
    listener(request, response);
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

/** Serves a file that never ends. `closed` resolves when the client closes the connection. */
async function serveWithoutEnd(options?: { timeoutMs: number }) {
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const transport = await serve((_request, response) => {
    response.on('close', close);
    response.write('a,b\r\n');
  }, options);
  return { transport, closed };
}

const fileRequest = { method: 'GET', path: '/orders/export', headers: { accept: 'text/csv' } };

async function readAll(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += new TextDecoder().decode(chunk);
  return text;
}

it('returns all chunks, and requests the file when the first one is read', async () => {
  let requests = 0;
  const transport = await serve((request, response) => {
    requests++;
    response.write(`${request.headers.accept}\r\n`);
    response.end('a,b\r\n');
  });
  const stream = readFileStream(transport, fileRequest, 'text/csv');
  expect(requests).toBe(0);
  expect(await readAll(stream)).toBe('text/csv\r\na,b\r\n');
  expect(requests).toBe(1);
});

it('fails if the response is cut off', async () => {
  const transport = await serve((_request, response) => {
    response.write('a,b\r\n', () => response.destroy());
  });
  await expect(readAll(readFileStream(transport, fileRequest, 'text/csv'))).rejects.toThrow(ConnectionError);
});

it('fails with the error of the service', async () => {
  const transport = await serve((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end('{"success":false,"statusCode":403,"message":"Forbidden","data":null}');
  });
  await expect(readAll(readFileStream(transport, fileRequest, 'text/csv'))).rejects.toThrow(ForbiddenError);
});

it.each([
  ['text/html', '<html>Welcome</html>', 'does not come from Keyfront'],
  [
    'application/json',
    '{"success":true,"statusCode":200,"message":"Success","data":{}}',
    'not of type text/csv',
  ],
])('fails with a response of type %s', async (type, body, message) => {
  const transport = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(body);
  });
  await expect(readAll(readFileStream(transport, fileRequest, 'text/csv'))).rejects.toThrow(message);
});

it('retries until the response starts', async () => {
  let requests = 0;
  const transport = await serve((_request, response) => {
    if (++requests < 3) response.destroy();
    else response.end('a,b\r\n');
  });
  expect(await readAll(readFileStream(transport, fileRequest, 'text/csv'))).toBe('a,b\r\n');
  expect(requests).toBe(3);
});

it('closes the connection if the reader stops early', async () => {
  const { transport, closed } = await serveWithoutEnd();
  for await (const _chunk of readFileStream(transport, fileRequest, 'text/csv')) break;
  await closed;
});

it('fails after an abort between two chunks', async () => {
  const { transport, closed } = await serveWithoutEnd();
  const controller = new AbortController();
  const reader = readFileStream(
    transport,
    { ...fileRequest, signal: controller.signal },
    'text/csv',
  ).getReader();
  await reader.read();
  controller.abort(new Error('enough'));
  await expect(reader.read()).rejects.toThrow('enough');
  await closed;
});

it('fails if no chunk arrives in time', async () => {
  const { transport } = await serveWithoutEnd({ timeoutMs: 200 });
  await expect(readAll(readFileStream(transport, fileRequest, 'text/csv'))).rejects.toThrow('within 200 ms');
});

it('fails after an abort during a read', async () => {
  const { transport, closed } = await serveWithoutEnd();
  const controller = new AbortController();
  const reader = readFileStream(
    transport,
    { ...fileRequest, signal: controller.signal },
    'text/csv',
  ).getReader();
  await reader.read();
  const next = reader.read();
  controller.abort(new Error('enough'));
  await expect(next).rejects.toThrow('enough');
  await closed;
});
