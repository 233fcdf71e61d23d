import { randomUUID } from 'node:crypto';
import { AuthenticationError, Keyfront, type KeyfrontOptions } from '@keyfront/sdk';
import { expect, it, vi } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import {
  openCallers,
  openStorefront,
  startStorefrontService,
  type TestHolder,
} from './support/storefront.ts';

const { holder, service } = await openStorefront();

interface Sent {
  readonly form: 'bound' | 'simple' | 'none';
  readonly status: number;
}

/** A client that records how its requests are signed. What it sends and gets can be changed on the way. */
function openClient(
  { apiKey, secretKey }: Pick<TestHolder, 'apiKey' | 'secretKey'>,
  options: Partial<KeyfrontOptions> & { readonly signatures?: 'auto' | 'bound' | 'simple' } = {},
  send: typeof fetch = fetch,
) {
  const sent: Sent[] = [];
  const client = new Keyfront({
    baseUrl: service.origin,
    apiKey,
    secretKey: Buffer.from(secretKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64'),
    runtime: { delay: async () => undefined },
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      const simple = headers.has('x-auth-signature') ? 'simple' : 'none';
      const form = headers.has('signature-input') ? 'bound' : simple;
      const response = await send(input, init);
      sent.push({ form, status: response.status });
      return response;
    },
    ...options,
  } as KeyfrontOptions);
  return { client, sent };
}

/** A service that does not know bound signatures: it sees none. */
const sendWithoutSignature: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('signature-input');
  headers.delete('signature');
  return fetch(input, { ...init, headers });
};

const newClient = () => ({ firstName: 'Ada', lastName: 'Example', email: `${randomUUID()}@example.org` });

it('signs bound from the first request, without another one', async () => {
  const { client, sent } = openClient(holder);
  await client.planets.list();
  const { id } = await client.clients.create(newClient());
  await client.clients.update(id, { firstName: 'Adé' });
  await client.strains.list({ search: 'lunar saffron & more', take: 5 });
  await client.clients.archive(id);
  expect(sent).toEqual([200, 201, 200, 200, 200].map((status) => ({ form: 'bound', status })));
});

it('signs in the simple form where the service does not know the other one, and asks once', async () => {
  const { client, sent } = openClient(holder, {}, sendWithoutSignature);
  await client.planets.list();
  await client.clients.create(newClient());
  expect(sent).toEqual([
    { form: 'bound', status: 401 },
    { form: 'simple', status: 200 },
    { form: 'simple', status: 201 },
  ]);
});

it('signs in the simple form where the service is reached at another address than its own', async () => {
  const elsewhere = await startStorefrontService(
    (url) => new ChangeFeed({ url }),
    {},
    { publicUrl: 'https://shop.example/api/v1' },
  );
  const { holder: other } = await openCallers(elsewhere);
  const baseUrl = elsewhere.service.origin;
  const { client, sent } = openClient(other, { baseUrl });
  await client.planets.list();
  expect(sent).toEqual([
    { form: 'bound', status: 401 },
    { form: 'simple', status: 200 },
  ]);
  const { client: strict } = openClient(other, { baseUrl, signatures: 'bound' });
  const failure = await strict.planets.list().then(null, (error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthenticationError);
  expect((failure as AuthenticationError).reason).toContain('https://shop.example/api/v1/planets');
});

it('does not try the simple form when it must sign bound, and the other way round', async () => {
  const { client: bound, sent: sentBound } = openClient(
    holder,
    { signatures: 'bound' },
    sendWithoutSignature,
  );
  await expect(bound.planets.list()).rejects.toThrow(AuthenticationError);
  expect(sentBound).toEqual([{ form: 'bound', status: 401 }]);
  const { client: simple, sent: sentSimple } = openClient(holder, { signatures: 'simple' });
  await simple.planets.list();
  expect(sentSimple).toEqual([{ form: 'simple', status: 200 }]);
});

it('never falls back after the bound form was accepted', async () => {
  let strips = false;
  const { client, sent } = openClient(holder, {}, (...request) =>
    (strips ? sendWithoutSignature : fetch)(...request),
  );
  await client.planets.list();
  strips = true;
  await expect(client.planets.list()).rejects.toThrow(AuthenticationError);
  expect(sent).toEqual([
    { form: 'bound', status: 200 },
    { form: 'bound', status: 401 },
  ]);
});

it('learns from the simple form that a key is not known: a bound signature does not tell', async () => {
  const { generateKeyPairSync } = await import('node:crypto');
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
  const { client, sent } = openClient({ apiKey, secretKey: privateKey });
  await expect(client.planets.list()).rejects.toMatchObject({ code: 'API_KEY_UNKNOWN' });
  expect(sent).toEqual([
    { form: 'bound', status: 401 },
    { form: 'simple', status: 401 },
  ]);
});

/** Runs a client whose clock is wrong by some seconds. The service is in this process and keeps its own time. */
async function withWrongClock(
  seconds: number,
  run: (send: typeof fetch) => Promise<unknown>,
): Promise<unknown> {
  const readClock = Date.now;
  let isServiceAtWork = false;
  const clock = vi
    .spyOn(Date, 'now')
    .mockImplementation(() => readClock() + (isServiceAtWork ? 0 : seconds * 1_000));
  try {
    return await run(async (...request) => {
      isServiceAtWork = true;
      return fetch(...request).finally(() => {
        isServiceAtWork = false;
      });
    });
  } finally {
    clock.mockRestore();
  }
}

it.each([
  [600, /^the clock of this machine is (599|600) seconds ahead of that of the service: synchronize it/],
  [-600, /^the clock of this machine is 60[01] seconds behind that of the service: synchronize it/],
])('stays bound if its clock is wrong by %i seconds, and says so', async (seconds, reason) => {
  let send: typeof fetch = fetch;
  const { client, sent } = openClient(holder, {}, (...request) => send(...request));
  const failures = await withWrongClock(seconds, async (sendInTime) => {
    send = sendInTime;
    return [
      await client.planets.list().then(null, (error: unknown) => error),
      await client.clients.create(newClient()).then(null, (error: unknown) => error),
    ];
  });
  expect(failures).toEqual([
    expect.objectContaining({ code: 'SIGNATURE_INVALID', reason: expect.stringMatching(reason) }),
    expect.objectContaining({ code: 'SIGNATURE_INVALID', reason: expect.stringMatching(reason) }),
  ]);
  send = fetch;
  await client.planets.list();
  expect(sent).toEqual([401, 401, 200].map((status) => ({ form: 'bound', status })));
});

it('does not repeat a change in the simple form if a proxy has sent the bound one twice', async () => {
  const { client, sent } = openClient(holder, {}, async (...request) => {
    await fetch(...request);
    return fetch(...request);
  });
  const body = newClient();
  await expect(client.clients.create(body, { idempotencyKey: randomUUID() })).rejects.toMatchObject({
    reason: expect.stringMatching(/^the nonce was used before/),
  });
  expect(sent).toEqual([{ form: 'bound', status: 401 }]);
});

it('learns nothing from public operations', async () => {
  const { client, sent } = openClient(holder, {}, sendWithoutSignature);
  await client.auth.nonce({ walletAddress: holder.account.address });
  await expect(client.auth.signIn({ message: 'x', signature: '0x' })).rejects.toThrow();
  await client.planets.list();
  expect(sent.map(({ form }) => form)).toEqual(['bound', 'bound', 'bound', 'simple']);
});

it('signs each attempt anew, so that a change whose response was lost is completed once', async () => {
  let lost = 0;
  const { client, sent } = openClient(holder, {}, async (...request) => {
    const response = await fetch(...request);
    if (lost++ < 2) throw new TypeError('fetch failed');
    return response;
  });
  const body = newClient();
  const { id } = await client.clients.create(body);
  expect(sent).toEqual([{ form: 'bound', status: 201 }]);
  const { clients } = await client.clients.list({ search: body.email });
  expect(clients.map((each) => each.id)).toEqual([id]);
});
