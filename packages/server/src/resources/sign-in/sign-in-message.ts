import { defaultSignInType } from '@keyfront/protocol';
import { ParsedMessage } from '@spruceid/siwe-parser';

/** The values of a message to sign. */
export interface MessageToSign {
  readonly domain: string;
  /** With ERC-55 checksum. */
  readonly address: string;
  readonly uri: string;
  readonly chainId: number;
  readonly nonce: string;
  /** ISO 8601, as are all times here. */
  readonly issuedAt: string;
  readonly expirationTime: string;
  readonly type: string;
}

/** A parsed message. */
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
// The type is a resource of the message, because wallets display resources: a user sees that they sign in as an administrator.
const typePrefix = 'urn:keyfront:type:';

/** Writes the ERC-4361 text. viem's function rejects IPv6 hosts and hosts without a dot. */
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

/** Parses an ERC-4361 text strictly. Returns a validation issue if it is invalid. */
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

/** Finds the sign-in type of a message, or the default type. Returns null if the message contains several. */
export function findSignInType({ resources }: SignInMessage): string | null {
  const [type = typePrefix + defaultSignInType, ...others] = resources.filter((resource) =>
    resource.startsWith(typePrefix),
  );
  return others.length > 0 ? null : type.slice(typePrefix.length);
}
