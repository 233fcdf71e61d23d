import { randomUUID } from 'node:crypto';
import type { Provider } from '@keyfront/protocol';
import { Webhook } from 'standardwebhooks';
import { readProvider } from '../../packages/server/src/resources/providers/provider-settings.ts';

/** The secrets of the test providers: the current one first, then the one before it. */
export const testSecrets = {
  KYC: [makeSecret('k'), makeSecret('j')],
  PAYMENT: [makeSecret('p'), makeSecret('o')],
} as const satisfies Record<Provider, readonly string[]>;

const configs: Readonly<Record<Provider, { url: string; secrets: readonly string[] }>> = {
  KYC: { url: 'https://identity.test/start?reference={reference}', secrets: testSecrets.KYC },
  PAYMENT: {
    url: 'https://pay.test/{reference}?amount={amount}&currency={currency}&back={returnUrl}',
    secrets: testSecrets.PAYMENT,
  },
};

/** The providers of a test service. */
export const testProviders = { KYC: readProvider(configs.KYC), PAYMENT: readProvider(configs.PAYMENT) };

/** Signs a message with the package of the Standard Webhooks project. */
export function signMessage(
  secret: string,
  body: string | Buffer,
  { id = `msg_${randomUUID()}`, sentAt = new Date() } = {},
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body.toString()),
  };
}

function makeSecret(letter: string): string {
  return `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
}
