import { defaultSignInType } from '@keyfront/protocol';
import { ParsedMessage } from '@spruceid/siwe-parser';

/** What a wallet is asked to sign. */
export interface MessageToSign {
  readonly domain: string;
  /** With the checksum of ERC-55 in its capitals. */
  readonly address: string;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  /** ISO 8601, as are all times here. */
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly type: string;
}

/** A message as it was read. */
export interface SignInMessage {
  readonly scheme: string | null;
  readonly domain: string;
  readonly address: string;
  readonly statement: string | null;
  readonly uri: string;
  readonly version: string;
  readonly chainId: number;
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime: string | null;
  readonly notBefore: string | null;
  readonly requestId: string | null;
  readonly resources: readonly string[];
}

const statement = 'Sign in to Keyfront. This sends no transaction and costs nothing.';
// Among the resources, because wallets show these to their owner: nobody becomes an administrator unawares.
const typePrefix = 'urn:keyfront:type:';

/** The ERC-4361 text. By hand, since viem's refuses the domains of IPv6 hosts and of hosts without a dot. */
export function writeMessage(message: MessageToSign): string {
  return [
    `${message.domain} wants you to sign in with your Ethereum account:`,
    message.address,
    '',
    statement,
    '',
    `URI: ${message.uri}`,
    'Version: 1',
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    `Expiration Time: ${message.expirationTime}`,
    'Resources:',
    `- ${typePrefix}${message.type}`,
  ].join('\n');
}

/** Reads an ERC-4361 text by its grammar, to the letter. Where it is none: a sentence that says why. */
export function parseMessage(text: string): SignInMessage | string {
  try {
    const parsed = new ParsedMessage(text);
    return {
      scheme: parsed.scheme ?? null,
      domain: parsed.domain,
      address: parsed.address,
      statement: parsed.statement ?? null,
      uri: parsed.uri,
      version: parsed.version,
      chainId: parsed.chainId,
      nonce: parsed.nonce,
      issuedAt: parsed.issuedAt,
      expirationTime: parsed.expirationTime ?? null,
      notBefore: parsed.notBefore ?? null,
      requestId: parsed.requestId ?? null,
      resources: parsed.resources ?? [],
    };
  } catch (error) {
    const place = error instanceof Error ? /^line \d+: [\w -]+/.exec(error.message)?.[0] : undefined;
    return `message must be an ERC-4361 message${place ? ` (${place})` : ''}`;
  }
}

/** What a message signs in for; null where it says more than one thing. A message that says nothing means the usual. */
export function typeOfMessage({ resources }: SignInMessage): string | null {
  const [type = typePrefix + defaultSignInType, ...others] = resources.filter((resource) =>
    resource.startsWith(typePrefix),
  );
  return others.length > 0 ? null : type.slice(typePrefix.length);
}
