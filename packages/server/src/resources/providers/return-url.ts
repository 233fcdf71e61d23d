import { checkWebAddress } from '../../lib/check-web-address.ts';
import { validationFailed } from '../../lib/errors/api-error.ts';
import { isLoopbackHost } from '../../lib/network/loopback.ts';
import type { ProviderLinks } from './provider-links.ts';

/** How customers are sent to a provider and back. */
export interface LinkSettings {
  readonly links: ProviderLinks;
  /** Whether a customer may return to a page of this machine, as in the demo. */
  readonly allowsLoopbackReturn: boolean;
}

/** Throws the 400 unless a customer may be sent there. The customer follows the address, so it must be encrypted. */
export function checkReturnUrl(returnUrl: string, { allowsLoopbackReturn }: LinkSettings): void {
  const { protocol, hostname } = checkWebAddress('returnUrl', returnUrl);
  const isLocal = allowsLoopbackReturn && protocol === 'http:' && isLoopbackHost(hostname);
  if (protocol !== 'https:' && !isLocal) {
    throw validationFailed(['returnUrl must be a URL that begins with https://']);
  }
}
