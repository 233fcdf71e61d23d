import { createHmac, hkdfSync } from 'node:crypto';
import type { Provider } from '@keyfront/protocol';
import { readWebhookSecret } from '../../lib/encryption/webhook-secret.ts';

/** A provider as the service uses it. */
export interface ProviderSettings {
  readonly url: string;
  readonly secrets: readonly Uint8Array[];
  /** Fills in `{signature}` of the template. Only the pages of the demo have it: nobody can use them without a link. */
  readonly signReference?: (reference: string) => string;
}

/** Pages of the service itself, where a visitor of the demo plays the part of the provider. */
export const demoProviderPaths = {
  KYC: '/demo/kyc',
  PAYMENT: '/demo/payment',
} as const satisfies Record<Provider, string>;

/** Decodes the secrets, which the configuration has validated. */
export function readProvider(
  config: { readonly url: string; readonly secrets: readonly string[] } | null,
): ProviderSettings | null {
  if (!config) return null;
  const secrets = config.secrets.map(readWebhookSecret).filter((secret) => secret !== null);
  return { url: config.url, secrets };
}

/** The provider of the demo. All processes of a service derive the same secret. */
export function createDemoProvider(provider: Provider, serviceSecret: string): ProviderSettings {
  const secret = new Uint8Array(
    hkdfSync('sha256', serviceSecret, '', `keyfront demo provider ${provider}`, 32),
  );
  return {
    url: `${demoProviderPaths[provider]}?reference={reference}&signature={signature}`,
    secrets: [secret],
    signReference: (reference) =>
      createHmac('sha256', secret).update(`link ${reference}`).digest('base64url'),
  };
}
