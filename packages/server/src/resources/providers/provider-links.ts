import type { ProviderSettings } from './provider-settings.ts';

/** Makes the links that send a customer to a provider. */
export interface ProviderLinks {
  readonly isConfigured: boolean;
  /** Null if the provider is not configured or there is no reference. */
  link(reference: string | null, values?: Readonly<Record<string, string>>): string | null;
}

/**
 * Fills a template such as `https://identity.example/start?reference={reference}`. A template that begins with a slash is
 * relative to the origin of the service, which is known only once it listens.
 */
export function createProviderLinks(provider: ProviderSettings | null, origin: () => string): ProviderLinks {
  return {
    isConfigured: provider !== null,
    link: (reference, values = {}) => {
      if (provider === null || reference === null) return null;
      const signature = provider.signReference?.(reference) ?? '';
      const all: Record<string, string> = { ...values, reference, signature };
      const filled = provider.url.replaceAll(placeholder, (_match, name: string) =>
        encodeURIComponent(all[name] ?? ''),
      );
      return filled.startsWith('/') ? origin() + filled : filled;
    },
  };
}

const placeholder = /\{(\w+)\}/g;
