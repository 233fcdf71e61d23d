import { parseServers } from '@keyfront/postgres';
import { dataKeyBytes } from '../lib/encryption/data-cipher.ts';
import { readWebhookSecret } from '../lib/encryption/webhook-secret.ts';
import { isLoopbackHost } from '../lib/network/loopback.ts';
import { findTrustIssue } from '../lib/network/networks.ts';

/** How the text of a setting is checked and converted. */
export interface Kind<Value, Absent = null> {
  /** Follows the name of the setting in messages and in the documentation. Empty if any text will do. */
  readonly rule: string;
  /** Returns how a message goes on after the rule, for each fault of the text. */
  readonly findIssues: (text: string) => string[];
  readonly convert: (text: string) => Value;
  /** The value of a setting that is not set and has no default. */
  readonly absent: Absent;
}

const same = (text: string) => text;
const toLowerCase = (text: string) => text.toLowerCase();
const not = (text: string) => `, not "${text}"`;
const isNo = (noun: string) => (text: string) => `: "${text}" is not ${noun}`;
/** For URLs, because they may contain a password or a key. */
const unquoted = () => '';

function single<Value>(
  rule: string,
  isValid: (text: string) => boolean,
  convert: (text: string) => Value,
  describe = not,
): Kind<Value> {
  return { rule, findIssues: (text) => (isValid(text) ? [] : [describe(text)]), convert, absent: null };
}

/** Items that are separated by commas. */
function list<Item>(rule: string, item: Kind<Item>, separator = /,/): Kind<Item[], Item[]> {
  const split = (text: string) => text.split(separator).flatMap((each) => each.trim() || []);
  const findIssues = (text: string) => split(text).flatMap(item.findIssues);
  return { rule, findIssues, convert: (text) => split(text).map(item.convert), absent: [] };
}

/** Accepts a word too, for what an absent setting means. */
function orWord<Value, Absent>(kind: Kind<Value, Absent>, word: RegExp): Kind<Value | Absent, Absent> {
  return {
    ...kind,
    findIssues: (value) => (word.test(value) ? [] : kind.findIssues(value)),
    convert: (value) => (word.test(value) ? kind.absent : kind.convert(value)),
  };
}

export const text = single('', () => true, same);
export const minLength = (length: number) =>
  single(`must have at least ${length} characters`, (value) => value.length >= length, same);

const range = (noun: string, form: RegExp) => (min: number, max: number) => {
  const isInRange = (value: string) => form.test(value) && Number(value) >= min && Number(value) <= max;
  return single(`must be ${noun} from ${min} to ${max}`, isInRange, Number);
};
export const integer = range('a whole number', /^\d+$/);
export const decimal = range('a number', /^\d+(\.\d+)?$/);

const isFlag = (value: string) => /^(on|off)$/i.test(value);
export const flag = single('must be on or off', isFlag, (value) => toLowerCase(value) === 'on');

export const oneOf = <const Value extends string>(...values: readonly Value[]) => {
  const isOne = (value: string) => values.some((each) => each === value);
  return single(`must be one of ${values.join(', ')}`, isOne, (value) => value as Value);
};

/** A key in hexadecimal. It may be given in Base64 too. */
export const encryptionKey = single(
  `must be ${dataKeyBytes} bytes in Base64 or hexadecimal, such as \`openssl rand -hex 32\` prints`,
  (value) => decodeKey(value).length === dataKeyBytes,
  (value) => decodeKey(value).toString('hex'),
);

export const url = (example: string, protocol = /^https?:$/) => {
  const isUrl = (value: string) => protocol.test(parseUrl(value)?.protocol ?? '');
  return single(`must be a URL such as ${example}`, isUrl, same, unquoted);
};

/** A base URL. The version prefix is added when it is missing. */
export const baseUrl = single(
  'must be a URL such as https://api.shop.example/api/v1',
  (value) => /^https?:[^?#]+$/i.test(value) && parseUrl(value) !== null,
  (value) => value.replace(/(\/api\/v1)?\/*$/, '/api/v1'),
);

/** Customers follow the link, so it must be encrypted, unless it stays on this machine. */
export const linkTemplate = (example: string) => {
  const isLink = (value: string) => {
    const { protocol, hostname = '' } = parseUrl(value.replaceAll(/\{\w+\}/g, 'x')) ?? {};
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
    return isSafe && value.includes('{reference}');
  };
  const rule = `must be a URL with https and the placeholder {reference}, such as ${example}?reference={reference}`;
  return single(rule, isLink, same, unquoted);
};

const callbackSecret = single('', (value) => readWebhookSecret(value) !== null, same);
export const callbackSecrets = list('must be whsec_ and the Base64 of 24 to 64 random bytes', callbackSecret);

export const databaseUrl = single(
  'must have the form postgres://user:password@host:port/name, with several hosts separated by commas, and ' +
    'target_session_attrs, if it is given, must be any, read-write or primary',
  isDatabaseUrl,
  same,
);
/** Null for the embedded database. */
export const databaseUrlOrEmbedded = orWord(databaseUrl, /^embedded$/);
/** Each may name several hosts. */
export const databaseUrls = list(
  'must be one or more URLs of the form postgres://user:password@host:port/name',
  databaseUrl,
  /,\s*(?=postgres(?:ql)?:\/\/)/,
);

export const domain = single(
  'must be a domain such as shop.example, with a port if necessary',
  isDomain,
  same,
);
const listedDomain = single('', isDomain, same, isNo('a domain'));
export const domains = list('must be a list of domains such as shop.example', listedDomain);

const isAddress = (value: string) => /^0x[0-9a-f]{40}$/i.test(value);
const noAddress = isNo('an Ethereum address');
export const contract = single('must be the address of a contract', isAddress, toLowerCase, noAddress);
export const wallets = list('must be a list of wallet addresses', contract);

const isOrigin = (value: string) => value === '*' || parseUrl(value)?.origin === value;
const origin = single('', isOrigin, same, isNo('an origin'));
export const origins = list('must be a list of origins such as https://shop.example', origin);

const network = single(
  '',
  (value) => findTrustIssue(value) === null,
  same,
  (value) => `: ${findTrustIssue(value)}`,
);
export const networks = orWord(
  list('must be a list of networks such as 10.0.0.0/8,fd00::/8 or loopback', network),
  /^off[\s,]*$/i,
);

const isHeader = (value: string) => /^[\w-]+=[\x20-\x7e]+$/.test(value);
const pairs = (isPair: (value: string) => boolean) =>
  list('must have the form name=value,other-name=value', single('', isPair, readPair, isNo('a pair')));
export const headers = pairs(isHeader);
export const attributes = pairs((value) => /^[\w.-]+=[\x20-\x7e]+$/.test(value));

/** Reads a pair as OpenTelemetry writes it, with a percent-encoded value. */
function readPair(value: string): [name: string, value: string] {
  const [name = '', ...rest] = value.split('=');
  const text = rest.join('=').trim();
  try {
    return [name, decodeURIComponent(text)];
  } catch {
    return [name, text];
  }
}

/** Whether the text is a host as browsers spell it, in lower case and with a port if it is not the usual one. */
function isDomain(value: string): boolean {
  return /^[a-z0-9.:[\]-]{1,255}$/.test(value) && parseUrl(`https://${value}`)?.host === value;
}

function decodeKey(value: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  return /^[\w+/-]+={0,2}$/.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
}

function isDatabaseUrl(value: string): boolean {
  try {
    return hasUrlCharacters(value) && parseServers(value).urls.length > 0;
  } catch {
    return false;
  }
}

/** Returns null also for a URL with characters that a browser would encode, because a wallet shows it unchanged. */
function parseUrl(value: string): URL | null {
  return hasUrlCharacters(value) && URL.canParse(value) ? new URL(value) : null;
}

function hasUrlCharacters(value: string): boolean {
  return /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(value);
}
