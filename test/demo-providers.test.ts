import { request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Checkout, Client } from '@keyfront/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { createDemoProvider } from '../packages/server/src/resources/demo/demo-provider.ts';
import { openPayments } from './support/payment-data.ts';
import {
  dataOf,
  openCallers,
  type Storefront,
  type StorefrontService,
  startStorefrontService,
} from './support/storefront.ts';
import { unknownId } from './support/storefront-data.ts';
import { testProviders } from './support/test-providers.ts';

const secret = 'a secret of the service for tests of the demo';
const demoProviders = {
  KYC: createDemoProvider('KYC', secret),
  PAYMENT: createDemoProvider('PAYMENT', secret),
};

let service: StorefrontService;
let storefront: Storefront;
let payments: ReturnType<typeof openPayments>;

beforeAll(async () => {
  service = await startStorefrontService((url) => new ChangeFeed({ url }), {
    providers: demoProviders,
    isDemo: true,
  });
  storefront = await openCallers(service);
  payments = openPayments(storefront);
});
afterAll(() => service.service.close());

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
}

/** Sends a request as a browser does, with any headers, and follows no redirect. */
async function visit(url: string, { method = 'GET', headers = {}, form }: Sent = {}) {
  const body = form && new URLSearchParams(form).toString();
  const request = sendRequest(url, {
    method,
    headers: { ...(body && { 'content-type': 'application/x-www-form-urlencoded' }), ...headers },
  });
  const received = new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>(
    (resolve, reject) => {
      request.on('error', reject).on('response', async (response) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) });
      });
    },
  );
  request.end(body);
  return received;
}

/** The buttons of a page, by the status that each reports. */
const choicesOf = (page: string) =>
  [...page.matchAll(/<button [^>]*value="(\w+)"/g)].map(([, status]) => status);

/** Presses one of the buttons of the page that a link leads to. */
const choose = (link: string | null | undefined, status: string) =>
  visit(String(link), { method: 'POST', form: { status } });

async function createClient(): Promise<Client> {
  const body = { firstName: 'Ada', lastName: '<b>&"\'', email: `${crypto.randomUUID()}@example.org` };
  return dataOf<Client>(await storefront.holder.ask('POST', '/dapp/clients', { body }));
}

const getClient = async (id: string) =>
  dataOf<Client>(await storefront.holder.ask('GET', `/dapp/clients/${id}`));

describe('the page of the identity provider', () => {
  it('verifies a client, by the real callback', async () => {
    const { id, kycLink } = await createClient();
    expect(kycLink).toMatch(
      new RegExp(`^${service.service.origin}/demo/kyc\\?reference=[\\w-]{36}&signature=[\\w-]{43}$`),
    );
    const page = await visit(String(kycLink));
    expect(page.status).toBe(200);
    expect(page.text).toContain('Ada &lt;b&gt;&amp;&quot;&#39;');
    expect(choicesOf(page.text)).toEqual(['VERIFIED', 'REJECTED']);
    const reply = await choose(kycLink, 'VERIFIED');
    expect([reply.status, reply.headers.location]).toEqual([
      303,
      `/demo/kyc${new URL(String(kycLink)).search}`,
    ]);
    expect(await getClient(id)).toMatchObject({ isKYCVerified: true, kycStatus: 'VERIFIED' });
    const after = await visit(String(kycLink));
    expect(after.text).toContain('The identity is verified');
    expect(choicesOf(after.text)).toEqual([]);
    const audit = await storefront.sql('SELECT provider FROM audit WHERE subject_id = $1', [id]);
    expect(audit).toEqual([{ provider: 'KYC' }]);
  });

  it('rejects a client, and a new link starts again', async () => {
    const { id, kycLink } = await createClient();
    expect((await choose(kycLink, 'REJECTED')).status).toBe(303);
    expect(await getClient(id)).toMatchObject({ kycStatus: 'REJECTED' });
    const { kycLink: second } = dataOf<Client>(
      await storefront.holder.ask('POST', `/dapp/clients/${id}/kyc-link`),
    );
    expect((await visit(String(kycLink))).status).toBe(404);
    expect(choicesOf((await visit(String(second))).text)).toEqual(['VERIFIED', 'REJECTED']);
  });
});

describe('the page of the payment provider', () => {
  const returnUrl = 'http://localhost:5173/thanks?a=1&b=2';

  it.each([
    ['PAID', 'The order is paid.'],
    ['FAILED', 'The payment failed.'],
  ])('reports %s by the real callback, and leads back', async (status, sentence) => {
    const orderId = await payments.insertOrder();
    const { payUrl } = await payments.openCheckout(orderId, returnUrl);
    const page = await visit(String(payUrl));
    expect(page.text).toContain('€75.00');
    expect(page.text).not.toContain('Return to the shop');
    expect((await choose(payUrl, status)).status).toBe(303);
    expect(await payments.statusOf(orderId)).toMatchObject({ status });
    const after = await visit(String(payUrl));
    expect(after.text).toContain(sentence);
    expect(after.text).toContain('href="http://localhost:5173/thanks?a=1&amp;b=2"');
  });

  it('shows why the service has refused a report', async () => {
    const orderId = await payments.insertOrder();
    const { payUrl } = await payments.openCheckout(orderId);
    await payments.openCheckout(orderId, 'https://shop.example/other');
    const reply = await choose(payUrl, 'PAID');
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('The checkout is cancelled or was replaced');
  });

  it('accepts no return address on another machine without https', async () => {
    const orderId = await payments.insertOrder();
    const body = { orderId, returnUrl: 'http://shop.example/' };
    expect((await storefront.holder.ask('POST', '/payments/checkout', { body })).status).toBe(400);
  });
});

describe('a page', () => {
  it('loads nothing from elsewhere, runs no script and is framed by nobody', async () => {
    const { kycLink } = await createClient();
    const { headers, text: page } = await visit(String(kycLink));
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(page).not.toMatch(/<script|style=|https?:/);
    const style = await visit(`${service.service.origin}/demo/provider.css`);
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
  });

  it('cannot be used without its link, and nothing changes', async () => {
    const { id, kycLink } = await createClient();
    const { searchParams } = new URL(String(kycLink));
    const reference = String(searchParams.get('reference'));
    const signature = String(searchParams.get('signature'));
    const other = new URL(String((await createClient()).kycLink)).searchParams.get('signature');
    const { payUrl } = await payments.openCheckout(await payments.insertOrder());
    const ofPayment = new URL(String(payUrl)).searchParams.get('signature');
    const queries = [
      '',
      '?reference=',
      '?reference=x',
      `?reference=${unknownId}`,
      `?reference=${reference}`,
      `?reference=${reference}&signature=`,
      `?reference=${reference}&signature=${other}`,
      `?reference=${reference}&signature=${ofPayment}`,
      `?reference=${reference}&signature=${signature.slice(1)}`,
      `?reference=${reference}&signature=${demoProviders.PAYMENT.signReference?.(reference)}`,
      `?reference=${unknownId}&signature=${signature}`,
      `?reference=${unknownId}&signature=${demoProviders.KYC.signReference?.(unknownId)}`,
      `?reference=x&signature=${demoProviders.KYC.signReference?.('x')}`,
    ];
    for (const query of queries) {
      const url = `${service.service.origin}/demo/kyc${query}`;
      for (const reply of [await visit(url), await choose(url, 'VERIFIED')]) {
        expect(reply.status, query).toBe(404);
        expect(reply.text).toContain('This link is not valid');
        expect(reply.text).not.toContain('Ada');
      }
    }
    expect(await getClient(id)).toMatchObject({ kycStatus: 'PENDING' });
  });

  it.each<[string, Record<string, string>]>([
    ['a proxy', { 'x-forwarded-for': '192.0.2.7', via: '1.1 proxy' }],
    ['the host of a shop', { host: 'shop.example' }],
    ['a page of another origin', { origin: 'https://shop.example', referer: 'https://shop.example/' }],
  ])('is open to whoever follows its link, through %s', async (_name, headers) => {
    const { id, kycLink } = await createClient();
    expect(choicesOf((await visit(String(kycLink), { headers })).text)).toEqual(['VERIFIED', 'REJECTED']);
    await visit(String(kycLink), { method: 'POST', headers, form: { status: 'VERIFIED' } });
    expect(await getClient(id)).toMatchObject({ kycStatus: 'VERIFIED' });
  });

  it('refuses a choice that it does not offer', async () => {
    const { id, kycLink } = await createClient();
    for (const form of [{}, { status: 'PROCESSING' }, { status: 'PAID' }]) {
      expect((await visit(String(kycLink), { method: 'POST', form })).status).toBe(400);
    }
    expect(await getClient(id)).toMatchObject({ kycStatus: 'PENDING' });
  });

  it('does not exist outside the demo, or where a real provider is configured', async () => {
    for (const parts of [
      { providers: demoProviders, isDemo: false },
      { providers: testProviders, isDemo: true },
    ]) {
      const other = await startStorefrontService((url) => new ChangeFeed({ url }), parts);
      for (const path of ['/demo/kyc', '/demo/payment']) {
        expect((await visit(other.service.origin + path)).text).toContain('ROUTE_NOT_FOUND');
      }
      await other.service.close();
    }
  });

  it('has the same secret in every process, and another one for each provider and service', () => {
    const [one, again] = [createDemoProvider('KYC', secret), createDemoProvider('KYC', secret)];
    expect(one.secrets).toEqual(again.secrets);
    expect(one.secrets).not.toEqual(createDemoProvider('PAYMENT', secret).secrets);
    expect(one.secrets).not.toEqual(createDemoProvider('KYC', `${secret}!`).secrets);
  });
});

it('a whole purchase can be clicked through', async () => {
  const { id, kycLink } = await createClient();
  await choose(kycLink, 'VERIFIED');
  const orderId = await payments.insertOrder();
  const first = await payments.openCheckout(orderId);
  await choose(first.payUrl, 'FAILED');
  const second: Checkout = await payments.openCheckout(orderId);
  await choose(second.payUrl, 'PAID');
  expect([(await getClient(id)).isKYCVerified, (await payments.statusOf(orderId)).status]).toEqual([
    true,
    'PAID',
  ]);
});
