import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const body = JSON.stringify({
  id: 'evt_1',
  type: 'order.created',
  timestamp: '2026-11-15T09:30:00.000Z',
  tokenId: 7,
  data: { note: 'é' },
});

/** Signs with the other implementation. */
function sign(text = body, { id = 'evt_1', at = new Date(), by = secret } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign(id, at, text),
  };
}

describe('verifyWebhook', () => {
  it('accepts what another implementation has signed, in all forms of bodies and headers', async () => {
    const { timestamp: createdAt, ...rest } = JSON.parse(body);
    const headers = sign();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    for (const each of [headers, new Headers(headers), upper]) {
      expect(await verifyWebhook(body, each, secret)).toEqual({ ...rest, createdAt });
      expect(await verifyWebhook(new TextEncoder().encode(body), each, secret)).toEqual({
        ...rest,
        createdAt,
      });
    }
  });

  it('accepts one valid signature among others', async () => {
    const other = sign(body, { by: `whsec_${randomBytes(32).toString('base64')}` })['webhook-signature'];
    const headers = sign();
    headers['webhook-signature'] = `v2,abc ${other} v1, ${headers['webhook-signature']}`;
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ type: 'order.created' });
  });

  it.each([
    ['another secret', body, sign(body, { by: `whsec_${randomBytes(32).toString('base64')}` })],
    ['a changed body', body.replace('7', '8'), sign()],
    ['a changed id', body, { ...sign(), 'webhook-id': 'evt_2' }],
    ['a changed time', body, { ...sign(), 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) }],
    ['an old message', body, sign(body, { at: new Date(Date.now() - 301_000) })],
    ['a message from the future', body, sign(body, { at: new Date(Date.now() + 302_000) })],
    ['a time that is none', body, { ...sign(), 'webhook-timestamp': 'NaN' }],
    ['no signature', body, { ...sign(), 'webhook-signature': '' }],
    ['an empty signature', body, { ...sign(), 'webhook-signature': 'v1,' }],
    [
      'a signature of another version',
      body,
      { ...sign(), 'webhook-signature': sign()['webhook-signature']?.replace('v1', 'v2') },
    ],
    ['no headers', body, {}],
  ] as const)('refuses %s', async (_what, text, headers) => {
    await expect(verifyWebhook(text, headers, secret)).rejects.toThrow(WebhookVerificationError);
  });

  it('takes another tolerance and another clock', async () => {
    const headers = sign(body, { at: new Date(Date.now() - 3_600_000) });
    await expect(verifyWebhook(body, headers, secret, { toleranceSeconds: 3_700 })).resolves.toBeTruthy();
    await expect(
      verifyWebhook(body, headers, secret, { nowMs: Date.now() - 3_600_000 }),
    ).resolves.toBeTruthy();
  });

  it.each([undefined, null, '', '***', 'whsec_', 7])(
    'says what to pass as the secret instead of %j',
    async (value) => {
      const verifying = verifyWebhook(body, sign(), value as string);
      await expect(verifying).rejects.toThrow(TypeError);
      await expect(verifying).rejects.toThrow('Pass the secret of the webhook, which begins with whsec_');
    },
  );

  it.each([
    ['a parsed body', JSON.parse(body)],
    ['no body', undefined],
    ['null', null],
  ])('says that %s is not the raw body', async (_what, value) => {
    const verifying = verifyWebhook(value, sign(), secret);
    await expect(verifying).rejects.toThrow(TypeError);
    await expect(verifying).rejects.toThrow(
      'Pass the raw body, a string or bytes, before anything parses it',
    );
  });

  it('says what to pass as headers', async () => {
    const verifying = verifyWebhook(body, undefined as unknown as Headers, secret);
    await expect(verifying).rejects.toThrow('Pass the headers of the request');
  });

  it('accepts an ArrayBuffer, as `request.arrayBuffer()` returns it', async () => {
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook(bytes.buffer, sign(), secret)).toMatchObject({ type: 'order.created' });
  });

  it('refuses a signed message that is not JSON', async () => {
    await expect(verifyWebhook('no JSON', sign('no JSON'), secret)).rejects.toThrow(
      'The body is signed, but it is not an event',
    );
    await expect(verifyWebhook('null', sign('null'), secret)).rejects.toThrow(WebhookVerificationError);
  });
});
