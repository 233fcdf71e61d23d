import { createHmac, randomUUID } from 'node:crypto';
import type { Client } from '@keyfront/protocol';
import { MemoryCounter } from '@keyfront/rate-limiter';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteOldMessages } from '../packages/server/src/boot/jobs/delete-expired.ts';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { createRateLimits } from '../packages/server/src/limits/rates/rate-limits.ts';
import { hmacWithOpenssl } from './support/openssl.ts';
import {
  dataOf,
  openCallers,
  type Reply,
  type Storefront,
  type StorefrontService,
  startStorefrontService,
} from './support/storefront.ts';
import { insertClient, unknownId } from './support/storefront-data.ts';
import { dumpTables } from './support/table-dump.ts';
import { signMessage, testSecrets } from './support/test-providers.ts';

/** What holds for every callback. A service of its own, so that nothing else writes to its tables. */

let service: StorefrontService;
let storefront: Storefront;
const [secret, previousSecret] = testSecrets.KYC;

beforeAll(async () => {
  const limits = createRateLimits({ counter: new MemoryCounter(), enabled: true });
  service = await startStorefrontService((url) => new ChangeFeed({ url }), { limits });
  storefront = await openCallers(service);
});
afterAll(() => service.service.close());

/** A client whose identity is not checked yet. */
async function openCheck() {
  const { holder, sql } = storefront;
  const { id } = await insertClient(sql, holder.tokenId, { isKycVerified: false });
  const [row] = await sql<{ kyc_reference: string }>('SELECT kyc_reference FROM clients WHERE id = $1', [id]);
  return { id, reference: row?.kyc_reference ?? '' };
}

const writeReport = (reference: string, status = 'VERIFIED') => JSON.stringify({ reference, status });

/** Sends a callback with these headers. */
function send(body: string, headers: Record<string, string>): Promise<Reply> {
  return storefront.nobody.ask('POST', '/callbacks/kyc', { body, headers });
}

const getClient = async (id: string) =>
  dataOf<Client>(await storefront.holder.ask('GET', `/dapp/clients/${id}`));

/** Expects that a callback is refused with this code, and that not a row has changed. */
async function expectRefused(refused: () => Promise<Reply>, status: number, code: string): Promise<Reply> {
  const before = await dumpTables(storefront.sql);
  const reply = await refused();
  expect([reply.status, reply.envelope.code]).toEqual([status, code]);
  expect(await dumpTables(storefront.sql)).toEqual(before);
  return reply;
}

describe('a signature', () => {
  it.each([
    ['the package of the Standard Webhooks project', (body: string) => signMessage(secret, body)],
    ['openssl', (body: string) => hmacWithOpenssl(secret, body)],
    ['the secret before the last change', (body: string) => signMessage(previousSecret, body)],
  ])('made with %s is accepted', async (_name, sign) => {
    const { id, reference } = await openCheck();
    const body = writeReport(reference);
    const reply = await send(body, await sign(body));
    expect(dataOf(reply)).toEqual({ reference, status: 'VERIFIED' });
    expect(await getClient(id)).toMatchObject({ isKYCVerified: true, kycStatus: 'VERIFIED' });
  });

  it('is over the bytes of the body as they were sent', async () => {
    const { reference } = await openCheck();
    const body = ` {\n\t"status" : "VERIFIED", "reference":"${reference}" }\n`;
    expect((await send(body, signMessage(secret, body))).status).toBe(200);
  });

  it('may be one of several, of any version', async () => {
    const { reference } = await openCheck();
    const body = writeReport(reference);
    const headers = signMessage(secret, body);
    const others = `v1,${'A'.repeat(43)}= v1a,AAAA v2,x`;
    const reply = await send(body, {
      ...headers,
      'webhook-signature': `${others} ${headers['webhook-signature']}`,
    });
    expect(reply.status).toBe(200);
  });

  const wrongHeaders: [string, (body: string) => Record<string, string>, string][] = [
    ['of another secret', (body) => signMessage(testSecrets.PAYMENT[0], body), 'SIGNATURE_INVALID'],
    ['of another body', (body) => signMessage(secret, `${body} `), 'SIGNATURE_INVALID'],
    [
      'of another id',
      (body) => ({ ...signMessage(secret, body), 'webhook-id': randomUUID() }),
      'SIGNATURE_INVALID',
    ],
    [
      'of another time',
      (body) => ({
        ...signMessage(secret, body),
        'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 7),
      }),
      'SIGNATURE_INVALID',
    ],
    [
      'that is empty',
      (body) => ({ ...signMessage(secret, body), 'webhook-signature': '' }),
      'SIGNATURE_INVALID',
    ],
    [
      'without its version',
      (body) => {
        const headers = signMessage(secret, body);
        return { ...headers, 'webhook-signature': headers['webhook-signature'].slice(3) };
      },
      'SIGNATURE_INVALID',
    ],
    [
      'whose id contains a full stop',
      (body) => signMessage(secret, body, { id: `msg.${randomUUID()}` }),
      'SIGNATURE_INVALID',
    ],
    [
      'whose secret is used as text',
      (body) => {
        const { 'webhook-signature': _signature, ...rest } = signMessage(secret, body);
        const content = `${rest['webhook-id']}.${rest['webhook-timestamp']}.${body}`;
        return {
          ...rest,
          'webhook-signature': `v1,${createHmac('sha256', secret).update(content).digest('base64')}`,
        };
      },
      'SIGNATURE_INVALID',
    ],
    [
      'of ten minutes ago',
      (body) => signMessage(secret, body, { sentAt: new Date(Date.now() - 600_000) }),
      'CALLBACK_EXPIRED',
    ],
    [
      'of the future',
      (body) => signMessage(secret, body, { sentAt: new Date(Date.now() + 310_000) }),
      'CALLBACK_EXPIRED',
    ],
    [
      'whose time is no number',
      (body) => ({ ...signMessage(secret, body), 'webhook-timestamp': 'now' }),
      'SIGNATURE_INVALID',
    ],
    ['that is missing', () => ({}), 'CREDENTIALS_MISSING'],
  ];
  it.each(wrongHeaders)('%s is refused, and nothing changes', async (_name, sign, code) => {
    const { reference } = await openCheck();
    const body = writeReport(reference);
    const reply = await expectRefused(() => send(body, sign(body)), 401, code);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Webhook realm="keyfront", error=/);
    expect(reply.text).not.toContain(secret.slice(6));
  });

  it('is checked before the body is parsed', async () => {
    await expectRefused(() => send('{', signMessage(previousSecret, 'x')), 401, 'SIGNATURE_INVALID');
    await expectRefused(() => send('{', signMessage(secret, '{')), 400, 'VALIDATION_FAILED');
  });

  it('of this server is accepted by the package of the Standard Webhooks project', async () => {
    const { signCallback } = await import('../packages/server/src/pipeline/callbacks/callback-signature.ts');
    const body = writeReport(unknownId);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const headers = signCallback(key, 'msg_1', Math.floor(Date.now() / 1000), Buffer.from(body));
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });
});

describe('a message', () => {
  it('counts once, however often it is sent', async () => {
    const { id, reference } = await openCheck();
    const body = writeReport(reference);
    const headers = signMessage(secret, body);
    expect((await send(body, headers)).status).toBe(200);
    await storefront.admin.ask('PATCH', `/admin/clients/${id}`, { body: { isKYCVerified: false } });
    await expectRefused(() => send(body, headers), 409, 'CALLBACK_REPEATED');
    // A repetition by the provider has the same id and a new time.
    const later = signMessage(secret, body, {
      id: headers['webhook-id'],
      sentAt: new Date(Date.now() + 2_000),
    });
    await expectRefused(() => send(body, later), 409, 'CALLBACK_REPEATED');
    expect(await getClient(id)).toMatchObject({ isKYCVerified: false });
  });

  it('counts once when it is sent many times at once', async () => {
    const { id, reference } = await openCheck();
    const body = writeReport(reference);
    const headers = signMessage(secret, body);
    const replies = await Promise.all(Array.from({ length: 12 }, () => send(body, headers)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(409)]);
    const entries = await storefront.sql('SELECT FROM audit WHERE subject_id = $1', [id]);
    expect(entries).toHaveLength(1);
  });

  it('that was refused may be sent again', async () => {
    const { id, reference } = await openCheck();
    const rejected = writeReport(reference, 'REJECTED');
    await send(rejected, signMessage(secret, rejected));
    const verified = writeReport(reference);
    const headers = signMessage(secret, verified);
    await expectRefused(() => send(verified, headers), 403, 'KYC_TRANSITION_REFUSED');
    await storefront.sql('UPDATE clients SET kyc_progress = NULL WHERE id = $1', [id]);
    expect((await send(verified, headers)).status).toBe(200);
  });

  it('is forgotten after 30 days', async () => {
    const { sql } = storefront;
    await sql(
      `INSERT INTO provider_messages (provider, message_id, received_at)
       SELECT 'KYC', 'old ' || n, now() - interval '30 days' FROM generate_series(1, 1500) AS n
       UNION ALL SELECT 'KYC', 'recent', now() - interval '29 days'`,
    );
    await deleteOldMessages.work(service.service.database, new AbortController().signal);
    const left = await sql<{ message_id: string }>(
      `SELECT message_id FROM provider_messages WHERE message_id ~ '^(old|recent)'`,
    );
    expect(left).toEqual([{ message_id: 'recent' }]);
  });
});

describe('a report', () => {
  it('about an unknown reference is refused, and nothing changes', async () => {
    const body = writeReport(unknownId);
    const reply = await expectRefused(() => send(body, signMessage(secret, body)), 404, 'RESOURCE_NOT_FOUND');
    expect(reply.envelope.message).toBe('Reference not found');
  });

  it('with fields that are wrong or unknown is refused with an issue for each', async () => {
    const body = JSON.stringify({ reference: 'x', status: 'PENDING' });
    const reply = await expectRefused(() => send(body, signMessage(secret, body)), 400, 'VALIDATION_FAILED');
    expect(reply.envelope.data).toEqual([
      'reference must be a UUID',
      'status must be one of the following values: PROCESSING, VERIFIED, REJECTED',
    ]);
  });

  it('that is accepted leaves an audit row that names the provider', async () => {
    const { id, reference } = await openCheck();
    for (const status of ['PROCESSING', 'VERIFIED', 'VERIFIED']) {
      const body = writeReport(reference, status);
      expect((await send(body, signMessage(secret, body))).status).toBe(200);
    }
    const { entries } = dataOf<{ entries: unknown[] }>(
      await storefront.admin.ask('GET', `/admin/audit?subjectId=${id}`),
    );
    const common = {
      administrator: null,
      provider: 'KYC',
      subject: 'CLIENT',
      subjectId: id,
      action: 'CHANGE',
    };
    expect(entries).toMatchObject([
      {
        ...common,
        before: { kycStatus: 'PROCESSING', isKYCVerified: false },
        after: { kycStatus: 'VERIFIED', isKYCVerified: true },
      },
      { ...common, before: { kycStatus: 'PENDING' }, after: { kycStatus: 'PROCESSING' } },
    ]);
  });

  it('is neither accepted from a holder nor from an administrator', async () => {
    const { reference } = await openCheck();
    const body = { reference, status: 'VERIFIED' };
    for (const caller of [storefront.holder, storefront.holder.signedIn, storefront.admin]) {
      await expectRefused(() => caller.ask('POST', '/callbacks/kyc', { body }), 401, 'CREDENTIALS_MISSING');
    }
  });

  it('of more than 64 KiB is refused, with its length or in chunks', async () => {
    const body = `{"reference":"${'x'.repeat(65_536)}"}`;
    const headers = { ...signMessage(secret, body), 'content-type': 'application/json' };
    const url = `${service.service.origin}/api/v1/callbacks/kyc`;
    const chunked = new Response(body).body;
    for (const content of [body, chunked]) {
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: content,
        ...(content === chunked ? { duplex: 'half' } : {}),
      } as RequestInit);
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ message: 'The body is larger than 64 KiB' });
    }
  });
});

describe('the rate limits', () => {
  it('count the callbacks of an address, and its invalid signatures apart', async () => {
    const replies: Reply[] = [];
    do replies.push(await send('{}', signMessage(secret, 'x')));
    while (replies.at(-1)?.status === 401 && replies.length < 200);
    expect(replies.at(-1)?.status).toBe(429);
    expect(replies.at(-1)?.headers.get('ratelimit-policy')).toMatch(/^"failure"/);
    const { reference } = await openCheck();
    const body = writeReport(reference);
    const valid = await send(body, signMessage(secret, body));
    expect([valid.status, valid.headers.get('ratelimit-policy')]).toEqual([200, '"address";q=600;w=60']);
  });
});
