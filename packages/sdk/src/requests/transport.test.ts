import { describe, expect, it } from 'vitest';
import type { KeyfrontOptions } from '../options.ts';
import { Transport } from './transport.ts';

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly redirect: string | undefined;
}

const success = () => Response.json({ success: true, statusCode: 200, message: 'Success', data: 'the data' });
const busy = () => new Response('upstream connect error', { status: 503 });

/** Creates a transport to a service that returns these responses in turn, and then successes. */
function open(
  responses: (() => Response | Promise<Response>)[] = [],
  options: Partial<KeyfrontOptions> = {},
) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const settings = {
    baseUrl: 'https://shop.example',
    ...('apiKey' in options ? {} : { token: 'a.b.c' }),
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const body = init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : null;
      const headers = Object.fromEntries(new Headers(init?.headers));
      sent.push({ url: String(input), method: init?.method ?? '', headers, body, redirect: init?.redirect });
      return (responses.shift() ?? success)();
    },
    runtime: {
      random: () => 0.5,
      delay: async (ms: number) => {
        pauses.push(ms);
      },
    },
    ...options,
  };
  // The tests never mix two kinds of credentials.
  return { transport: new Transport(settings as KeyfrontOptions), sent, pauses };
}

describe('a request', () => {
  it('has no body if it is a GET', async () => {
    const { transport, sent } = open();
    expect(await transport.send({ method: 'GET', path: '/planets', query: { a: 1 } })).toBe('the data');
    expect(sent).toEqual([
      {
        url: 'https://shop.example/api/v1/planets?a=1',
        method: 'GET',
        headers: { accept: 'application/json', authorization: 'Bearer a.b.c' },
        body: null,
        redirect: 'manual',
      },
    ]);
  });

  it('has a body and a new idempotency key if it is a POST', async () => {
    const { transport, sent } = open();
    const request = { method: 'POST', path: '/dapp/orders', body: { clientId: '7' } };
    await transport.send(request);
    await transport.send(request);
    expect(sent[0]).toMatchObject({
      body: '{"clientId":"7"}',
      headers: { 'content-type': 'application/json' },
    });
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it.each(['GET', 'PATCH', 'DELETE'])('has no idempotency key if it is a %s', async (method) => {
    const { transport, sent } = open();
    await transport.send({ method, path: '/x' });
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('has the headers of the caller, except those that the client sets', async () => {
    const { transport, sent } = open();
    await transport.send({
      method: 'POST',
      path: '/x',
      idempotencyKey: 'mine',
      headers: {
        'X-Request-Id': 'r-1',
        Accept: 'text/csv',
        Authorization: 'Bearer other',
        'Idempotency-Key': 'no',
      },
    });
    expect(sent[0]?.headers).toEqual({
      accept: 'text/csv',
      authorization: 'Bearer a.b.c',
      'idempotency-key': 'mine',
      'x-request-id': 'r-1',
    });
  });

  it('takes the idempotency key from the headers too', async () => {
    const { transport, sent } = open();
    await transport.send({ method: 'POST', path: '/x', headers: { 'Idempotency-Key': 'mine' } });
    expect(sent[0]?.headers['idempotency-key']).toBe('mine');
  });

  it('is signed over the bytes that are sent', async () => {
    const signed: string[] = [];
    const signer = {
      sign: async (payload: Uint8Array) => {
        signed.push(new TextDecoder().decode(payload));
        return 'c2ln';
      },
    };
    const { transport, sent } = open([], { apiKey: 'a2V5', signer, signatures: 'simple' });
    await transport.send({ method: 'GET', path: '/dapp/strains', query: { search: "it's" } });
    await transport.send({
      method: 'PATCH',
      path: '/dapp/sales',
      query: { id: 1 },
      body: { stage: 'CLOSED' },
    });
    await transport.send({ method: 'GET', path: '/planets' });
    expect(signed).toEqual([sent[0]?.url.split('?')[1], sent[1]?.body, '{}']);
    expect(sent[0]?.headers).toMatchObject({ 'x-auth-apikey': 'a2V5', 'x-auth-signature': 'c2ln' });
  });
});

describe('a retry', () => {
  it('sends the same request with the same idempotency key', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    const { transport, sent, pauses } = open([lost, busy, lost]);
    const order = { method: 'POST', path: '/dapp/orders', body: { clientId: '7' } };
    expect(await transport.send({ ...order, retry: 'idempotency-key' })).toBe('the data');
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(pauses).toEqual([125, 250, 500]);
  });

  it('follows the options', async () => {
    const options = { maxAttempts: 2, backoff: { baseMs: 8, capMs: 8 } };
    const { transport, sent, pauses } = open([busy, busy, busy], options);
    await expect(transport.send({ method: 'GET', path: '/planets' })).rejects.toMatchObject({ status: 503 });
    expect([sent.length, pauses]).toEqual([2, [4]]);
  });

  it('respects what the operation says about retries', async () => {
    const { transport, sent } = open([busy]);
    const change = {
      method: 'PATCH',
      path: '/admin/strains/7',
      body: { stockChange: -1 },
      retry: { unless: ['stockChange'] },
    };
    await expect(transport.send(change)).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });

  it('does not happen for an unknown PATCH', async () => {
    const { transport, sent } = open([busy]);
    await expect(transport.send({ method: 'PATCH', path: '/x' })).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });
});

describe('a failed request', () => {
  it('names the cause and no credentials', async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const lost = () => Promise.reject(new TypeError('fetch failed', { cause: reset }));
    const { transport } = open([lost], { maxAttempts: 1 });
    const error = await transport
      .send({ method: 'GET', path: '/planets?a=secret' })
      .catch((each: Error) => each);
    expect(String(error)).toBe(
      'ConnectionError: The connection to https://shop.example failed: it was closed before the response was complete (ECONNRESET)',
    );
  });

  it('is not retried if the program is wrong', async () => {
    const { transport, sent } = open();
    const request = { method: 'GET', path: '/planets', headers: { 'x-note': 'two\nlines' } };
    await expect(transport.send(request)).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it('explains in a browser what the cause may be', async () => {
    const blocked = () => Promise.reject(new TypeError('Failed to fetch'));
    const runtime = { pageOrigin: () => 'https://page.example' };
    const { transport } = open([blocked], { maxAttempts: 1, runtime });
    await expect(transport.send({ method: 'GET', path: '/planets' })).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('CORS_ORIGINS must contain https://page.example'),
      // The guides are on the service that cannot be reached.
      docsUrl: null,
    });
  });

  it('may be too slow', async () => {
    const hang = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const give = () => reject(init?.signal?.reason);
        // The time may be over before the request starts.
        if (init?.signal?.aborted) give();
        else init?.signal?.addEventListener('abort', give);
      });
    const { transport } = open([], { fetch: hang, timeoutMs: 1, maxAttempts: 1 });
    await expect(transport.send({ method: 'GET', path: '/planets' })).rejects.toThrow(
      'No response from https://shop.example within 1 ms',
    );
  });

  it('rejects with the reason of an abort', async () => {
    const controller = new AbortController();
    const hang = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const give = () => reject(init?.signal?.reason);
        // The time may be over before the request starts.
        if (init?.signal?.aborted) give();
        else init?.signal?.addEventListener('abort', give);
        controller.abort(new Error('enough'));
      });
    const { transport } = open([], { fetch: hang });
    const { signal } = controller;
    await expect(transport.send({ method: 'GET', path: '/planets', signal })).rejects.toThrow('enough');
  });

  it('is not sent after an abort', async () => {
    const { transport, sent } = open();
    const signal = AbortSignal.abort(new Error('never'));
    await expect(transport.send({ method: 'GET', path: '/planets', signal })).rejects.toThrow('never');
    expect(sent).toEqual([]);
  });
});
