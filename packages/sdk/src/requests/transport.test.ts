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

/** A transport to a service that gives these answers, one after the other, and then successes. */
function open(answers: (() => Response | Promise<Response>)[] = [], options: Partial<KeyfrontOptions> = {}) {
  const sent: Sent[] = [];
  const pauses: number[] = [];
  const settings = {
    baseUrl: 'https://shop.example',
    token: 'a.b.c',
    fetch: async (input: string | URL | Request, init?: RequestInit) => {
      const body = init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : null;
      const headers = Object.fromEntries(new Headers(init?.headers));
      sent.push({ url: String(input), method: init?.method ?? '', headers, body, redirect: init?.redirect });
      return (answers.shift() ?? success)();
    },
    runtime: {
      random: () => 0.5,
      delay: async (ms: number) => {
        pauses.push(ms);
      },
    },
    ...options,
  };
  // The parts of one kind of credentials are never mixed here.
  return { transport: new Transport(settings as KeyfrontOptions), sent, pauses };
}

describe('what is sent', () => {
  it('is a GET without a body', async () => {
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

  it('is a POST with its body and a key of its own', async () => {
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

  it.each(['GET', 'PATCH', 'DELETE'])('is a %s without such a key', async (method) => {
    const { transport, sent } = open();
    await transport.send({ method, path: '/x' });
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  it('has the headers of the caller, but for those that are ours', async () => {
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

  it('takes the key of a POST from the headers too', async () => {
    const { transport, sent } = open();
    await transport.send({ method: 'POST', path: '/x', headers: { 'Idempotency-Key': 'mine' } });
    expect(sent[0]?.headers['idempotency-key']).toBe('mine');
  });

  it('covers with the signature what goes over the wire', async () => {
    const signed: string[] = [];
    const signer = {
      sign: async (payload: Uint8Array) => {
        signed.push(new TextDecoder().decode(payload));
        return 'c2ln';
      },
    };
    const { transport, sent } = open([], {
      token: undefined,
      apiKey: 'a2V5',
      signer,
    } as Partial<KeyfrontOptions>);
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

describe('trying again', () => {
  it('sends the very same, with the same key', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    const { transport, sent, pauses } = open([lost, busy, lost]);
    expect(await transport.send({ method: 'POST', path: '/dapp/orders', body: { clientId: '7' } })).toBe(
      'the data',
    );
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(pauses).toEqual([125, 250, 500]);
  });

  it('obeys the options', async () => {
    const options = { maxAttempts: 2, backoff: { baseMs: 8, capMs: 8 } };
    const { transport, sent, pauses } = open([busy, busy, busy], options);
    await expect(transport.send({ method: 'GET', path: '/planets' })).rejects.toMatchObject({ status: 503 });
    expect([sent.length, pauses]).toEqual([2, [4]]);
  });

  it('does not repeat a change of stock by an amount', async () => {
    const { transport, sent } = open([busy]);
    const change = { method: 'PATCH', path: '/admin/strains/7', body: { stockChange: -1 } };
    await expect(transport.send(change)).rejects.toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });
});

describe('what goes wrong on the way', () => {
  it('is said with its cause and without credentials', async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const lost = () => Promise.reject(new TypeError('fetch failed', { cause: reset }));
    const { transport } = open([lost], { maxAttempts: 1 });
    const error = await transport
      .send({ method: 'GET', path: '/planets?a=secret' })
      .catch((each: Error) => each);
    expect(String(error)).toBe('ConnectionError: The connection to https://shop.example failed: ECONNRESET');
  });

  it('is told at once where it is a mistake in the program', async () => {
    const { transport, sent } = open();
    const request = { method: 'GET', path: '/planets', headers: { 'x-note': 'two\nlines' } };
    await expect(transport.send(request)).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it('is too slow', async () => {
    const hang = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const give = () => reject(init?.signal?.reason);
        // The time may be over before anything was asked.
        if (init?.signal?.aborted) give();
        else init?.signal?.addEventListener('abort', give);
      });
    const { transport } = open([], { fetch: hang, timeoutMs: 1, maxAttempts: 1 });
    await expect(transport.send({ method: 'GET', path: '/planets' })).rejects.toThrow(
      'No answer from https://shop.example within 1 ms',
    );
  });

  it('is an abort of the caller, which stays what it is', async () => {
    const controller = new AbortController();
    const hang = (_input: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const give = () => reject(init?.signal?.reason);
        // The time may be over before anything was asked.
        if (init?.signal?.aborted) give();
        else init?.signal?.addEventListener('abort', give);
        controller.abort(new Error('enough'));
      });
    const { transport } = open([], { fetch: hang });
    const { signal } = controller;
    await expect(transport.send({ method: 'GET', path: '/planets', signal })).rejects.toThrow('enough');
  });

  it('is an abort before anything was sent', async () => {
    const { transport, sent } = open();
    const signal = AbortSignal.abort(new Error('never'));
    await expect(transport.send({ method: 'GET', path: '/planets', signal })).rejects.toThrow('never');
    expect(sent).toEqual([]);
  });
});
