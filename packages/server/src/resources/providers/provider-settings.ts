import { readWebhookSecret } from '../../lib/encryption/webhook-secret.ts';

/** A provider as the service uses it. */
export interface ProviderSettings {
  readonly url: string;
  readonly secrets: readonly Uint8Array[];
  /** Fills in `{signature}` of the template. Only the pages of the demo have it: nobody can use them without a link. */
  readonly signReference?: (reference: string) => string;
}

/** Decodes the secrets, which the configuration has validated. */
export function readProvider(
  config: { readonly url: string; readonly secrets: readonly string[] } | null,
): ProviderSettings | null {
  if (!config) return null;
  const secrets = config.secrets.map(readWebhookSecret).filter((secret) => secret !== null);
  return { url: config.url, secrets };
}
