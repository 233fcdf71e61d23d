import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { Place } from '@keyfront/fair-queue';
import { type FastifyInstance, fastify } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../../../../test/support/until.ts';
import { type FileResponse, prefersContent, resetFiles, sendFile, sendFileHeaders } from './file-response.ts';

describe('the preferred content type', () => {
  it.each([
    'text/csv',
    'TEXT/CSV',
    ' text/csv ',
    'text/csv; charset=utf-8',
    'text/csv;q=0.1',
    'text/csv; header=present; q=0.5',
    'text/csv, application/json',
    'application/json, text/csv',
    'application/json;q=0.9, text/csv',
    'text/csv, */*;q=0.8',
    'text/html, text/csv;q=0.9, */*;q=0.1',
    'application/json;q=0.5, text/csv;q=0.5',
    'application/json;q=0, text/csv;q=0.001',
    'text/csv;q=0.1, text/csv;q=0.9, application/json;q=0.5',
    'text/*',
    'Text/*;q=0.5',
    'text/html, text/*;q=0.9, */*;q=0.1',
    'text/*, application/json;q=0.9',
    'text/csv, application/*;q=0.9',
    'text/csv, text/*;q=0, application/json;q=0.5',
  ])('is the file for %j', (accept) => {
    expect(prefersContent(accept, 'text/csv')).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'text/*;q=0',
    'text/csv;q=0, text/*',
    'text/*;q=0.9, application/json',
    'application/*, text/csv;q=0.9',
    'application/*',
    'text/html',
    'application/json',
    'application/json, text/csv;q=0.9',
    'application/json;q=0.6, text/csv;q=0.5',
    'text/csv;q=0',
    'text/csv;q=0.000',
    'text/csv;q=.',
    'text/csvx',
    'text/csv-schema',
    'application/text/csv',
    'csv',
    ',,;q=1,',
  ])('is JSON for %j', (accept) => {
    expect(prefersContent(accept, 'text/csv')).toBe(false);
  });
});

/** A service with one file. Records when its source is opened and closed, and when the download ends. */
function serveFile(make: () => AsyncGenerator<string>, stallTimeoutMs = 60_000) {
  const events: string[] = [];
  /** What the place was told about its client. */
  const stalls: boolean[] = [];
  const place: Place = {
    release: () => events.push('ended'),
    setStalled: (isStalled) => {
      if (isStalled !== (stalls.at(-1) ?? false)) stalls.push(isStalled);
    },
  };
  const app = fastify();
  onTestFinished(() => app.close());
  const createFile = (): FileResponse => ({
    contentType: 'text/csv',
    fileName: 'some.csv',
    chunks: (async function* () {
      events.push('opened');
      try {
        yield* make();
      } finally {
        events.push('closed');
      }
    })(),
  });
  app.get('/', { exposeHeadRoute: false }, (_request, reply) =>
    sendFile(reply, createFile(), { stallTimeoutMs, place }),
  );
  app.head('/', async (_request, reply) => sendFileHeaders(reply, createFile()));
  return { app, events, stalls };
}

describe('a file', () => {
  it('is sent completely, with its name', async () => {
    const { app, events } = serveFile(async function* () {
      yield 'a\r\n';
      yield '';
      yield 'b\r\n';
    });
    const { body, headers } = await app.inject('/');
    expect([body, headers['content-disposition']]).toEqual(['a\r\nb\r\n', 'attachment; filename="some.csv"']);
    await until(
      () => events,
      ({ length }) => length === 3,
    );
    expect(events).toEqual(['opened', 'closed', 'ended']);
  });

  it('is sent unchanged in slices if it is large', async () => {
    const chunks = [7, 65_535, 65_536, 65_537, 300_000].map((length, index) =>
      'aäß€𝄞'.charAt(index % 4).repeat(length),
    );
    const { app } = serveFile(async function* () {
      yield* chunks;
    });
    expect((await app.inject('/')).body).toBe(chunks.join(''));
  });

  it('is not created for a HEAD request', async () => {
    const { app, events } = serveFile(async function* () {
      yield 'a';
    });
    const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/' });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv']);
    expect(events).toEqual([]);
  });

  it('that fails before its first chunk is an ordinary error response', async () => {
    const { app, events } = serveFile(async function* () {
      yield* [];
      throw new Error('no rows');
    });
    const { statusCode, headers } = await app.inject('/');
    expect([statusCode, headers['content-disposition']]).toEqual([500, undefined]);
    expect(events).toEqual(['opened', 'closed', 'ended']);
  });
});

describe('a file that fails after its beginning', () => {
  const beginning = 'x'.repeat(100_000);

  /** Requests a file, and ends it when the client has read its beginning: libuv reports a reset as an end while there is data to read. */
  async function receive(app: FastifyInstance, request: string, end: () => void) {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    let text = '';
    client.on('data', (chunk) => {
      text += chunk;
    });
    const closed = new Promise<string | undefined>((resolve) => {
      client
        .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
        .on('close', () => resolve('closed'));
    });
    client.write(request);
    await until(
      () => text.replaceAll(/[^x]/g, '').length,
      (length) => length >= beginning.length,
    );
    end();
    return { error: await closed, text };
  }

  it.each([
    ['1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['1.0 that stays open', 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n'],
    ['1.1', 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'],
    ['1.1 that closes', 'GET / HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n'],
  ])('resets a connection of HTTP/%s', async (_version, request) => {
    let fail = () => {};
    const failed = new Promise<void>((resolve) => {
      fail = resolve;
    });
    const { app, events } = serveFile(async function* () {
      yield beginning;
      await failed;
      throw new Error('the database is gone');
    });
    const { text, error } = await receive(app, request, fail);
    expect(error).toBe('ECONNRESET');
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    await until(
      () => events,
      ({ length }) => length === 3,
    );
    expect(events).toEqual(['opened', 'closed', 'ended']);
  });

  it('resets the connection when the service stops before its end', async () => {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    onTestFinished(() => stop());
    const { app } = serveFile(async function* () {
      yield beginning;
      await stopped;
    });
    const { error } = await receive(app, 'GET / HTTP/1.0\r\n\r\n', () => resetFiles(app));
    expect(error).toBe('ECONNRESET');
  });
});

describe('the client of a file', () => {
  /** An endless file, and a client that requests it and does not read. */
  async function stall(stallTimeoutMs: number) {
    const sent = { chunks: 0 };
    const { app, events, stalls } = serveFile(async function* () {
      for (;;) {
        sent.chunks++;
        yield 'x'.repeat(100_000);
      }
    }, stallTimeoutMs);
    await app.listen({ host: '127.0.0.1', port: 0 });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').pause();
    onTestFinished(() => void client.destroy());
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    return { events, stalls, sent, client };
  }

  const untilEnded = (events: readonly string[]) =>
    until(
      () => [...events],
      (all) => all.includes('ended'),
    );

  it('is disconnected when it does not read, and the source is closed', async () => {
    const { events, client } = await stall(100);
    expect(await untilEnded(events)).toEqual(['opened', 'closed', 'ended']);
    const closed = once(client, 'close');
    client.on('error', () => undefined).resume();
    await closed;
  });

  it('keeps its connection as long as it reads', async () => {
    const { events, sent, client } = await stall(500);
    client.resume();
    const begin = performance.now();
    await until(
      () => performance.now() - begin,
      (elapsedMs) => elapsedMs > 1_500,
    );
    expect(events).toEqual(['opened']);
    const { chunks } = sent;
    await until(
      () => sent.chunks,
      (count) => count > chunks,
    );
    client.pause();
    expect(await untilEnded(events)).toEqual(['opened', 'closed', 'ended']);
  });

  it('is known to have stopped reading long before it is disconnected, and to go on', {
    tags: ['long'],
  }, async () => {
    const { stalls, client } = await stall(60_000);
    for (const expected of [[true], [true, false]]) {
      await until(
        () => stalls.length,
        (count) => count === expected.length,
      );
      expect(stalls).toEqual(expected);
      client.resume();
    }
  });

  it('that disconnects closes the source', async () => {
    const { events, sent, client } = await stall(60_000);
    await until(
      () => sent.chunks,
      (count) => count > 0,
    );
    client.destroy();
    expect(await untilEnded(events)).toEqual(['opened', 'closed', 'ended']);
  });

  it('that disconnects before the first chunk closes the source', async () => {
    let goOn = () => {};
    const isWaiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { app, events } = serveFile(async function* () {
      await isWaiting;
      yield 'a';
      yield 'b';
    });
    let isGone = false;
    app.addHook('onRequest', async (request) => {
      request.raw.socket.once('close', () => {
        isGone = true;
      });
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: test\r\n\r\n');
    await until(
      () => events.length,
      (count) => count === 1,
    );
    client.destroy();
    await until(
      () => isGone,
      (gone) => gone,
    );
    goOn();
    expect(await untilEnded(events)).toEqual(['opened', 'closed', 'ended']);
  });
});
