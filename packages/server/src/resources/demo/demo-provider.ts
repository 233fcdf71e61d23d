import { createHmac, hkdfSync } from 'node:crypto';
import type { Provider } from '@keyfront/protocol';
import type { ProviderSettings } from '../providers/provider-settings.ts';

/** Pages of the service itself, where a visitor of the demo plays the part of the provider. */
export const demoProviderPaths = {
  KYC: '/demo/kyc',
  PAYMENT: '/demo/payment',
} as const satisfies Record<Provider, string>;

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
