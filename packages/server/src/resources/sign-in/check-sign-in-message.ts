import type { SignInMessage } from './sign-in-message.ts';

/** The values that a message for this service must contain. */
export interface ExpectedMessage {
  readonly domain: string;
  readonly uri: string;
  readonly chainId: number;
}

/** How far the clock of whoever wrote a message may be ahead. */
const toleranceMs = 300_000;

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
  const time = `the time of the service is ${now.toISOString()}`;
  if (message.expirationTime !== null && !(Date.parse(message.expirationTime) > now.getTime())) {
    return `the message has expired at ${message.expirationTime}, and ${time}: ask for a new nonce, or correct the clock that the message is from`;
  }
  if (!(Date.parse(message.issuedAt) <= now.getTime() + toleranceMs)) {
    return `the message was issued in the future, at ${message.issuedAt}, and ${time}: correct the clock that the message is from`;
  }
  if (message.notBefore !== null && !(Date.parse(message.notBefore) <= now.getTime())) {
    return `the message is not valid before ${message.notBefore}, and ${time}: wait, or correct the clock that the message is from`;
  }
  return null;
}
