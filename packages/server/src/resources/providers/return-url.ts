import { validationFailed } from '../../lib/errors/api-error.ts';
import { isLoopbackHost } from '../../lib/network/loopback.ts';
import type { ProviderLinks } from './provider-links.ts';

/** How customers are sent to a provider and back. */
export interface LinkSettings {
  readonly links: ProviderLinks;
  /** Whether a customer may return to a page of this machine, as in the demo. */
  readonly allowsLoopbackReturn: boolean;
}

/** Throws the 400 unless a customer may be sent there. The customer follows the address, so it must be encrypted. It must not hide where it leads. */
export function checkReturnUrl(returnUrl: string, { allowsLoopbackReturn }: LinkSettings): void {
  const url = URL.canParse(returnUrl) ? new URL(returnUrl) : null;
  const isLocal = allowsLoopbackReturn && url?.protocol === 'http:' && isLoopbackHost(url.hostname);
  if (url?.protocol !== 'https:' && !isLocal) {
    throw validationFailed(['returnUrl must be a URL that begins with https://']);
  }
  if (url?.username || url?.password)
    throw validationFailed(['returnUrl must not contain a user name or password']);
}
