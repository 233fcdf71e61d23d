import type { SignInMessage } from './sign-in-message.ts';

/** The values that a message for this service must contain. */
export interface ExpectedMessage {
  readonly domain: string;
  readonly uri: string;
  readonly chainId: number;
}

/** Finds the first invalid value of a message. Does not check the signature. */
export function findMessageFault(
  message: SignInMessage,
  { domain, uri, chainId }: ExpectedMessage,
  now: Date,
): string | null {
  if (message.domain !== domain) return `the domain of the message must be ${domain}`;
  const scheme = uri.slice(0, uri.indexOf(':'));
  if (message.scheme !== null && message.scheme !== scheme) {
    return `the scheme before the domain of the message must be ${scheme}`;
  }
  if (message.uri !== uri) return `the URI of the message must be ${uri}`;
  if (message.version !== '1') return 'the version of the message must be 1';
  if (message.chainId !== chainId) return `the chain id of the message must be ${chainId}`;
  // Negated comparisons, so that an unparseable time (NaN, such as second 60) counts as expired and as not yet valid.
  if (message.expirationTime !== null && !(Date.parse(message.expirationTime) > now.getTime())) {
    return 'the message has expired: ask for a new nonce';
  }
  if (message.notBefore !== null && !(Date.parse(message.notBefore) <= now.getTime())) {
    return 'the message is not valid yet: its time Not Before lies ahead';
  }
  return null;
}
