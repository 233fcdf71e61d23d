import { BlockList, isIP } from 'node:net';
import { parseServers } from '../database/connection/connection-url.ts';
import { dataKeyBytes } from '../lib/encryption/data-cipher.ts';
import { readWebhookSecret } from '../lib/encryption/webhook-secret.ts';
import { StartError } from '../lib/errors/start-error.ts';
import { isLoopbackHost } from '../lib/network/loopback.ts';
import type { ProviderConfig } from './provider-config.ts';
import { type SettingName, settings } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const addressForm = /^0x[0-9a-fA-F]{40}$/;
const urlCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

/**
 * Reads settings by their kind. An invalid setting is recorded and reading goes on, so that `throwIfRejected` can report
 * all of them together.
 */
export class SettingReader {
  readonly #environment: Environment;
  readonly #issues: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  reject(name: SettingName, rule: string): void {
    this.#issues.push(`The setting ${name} ${rule}.`);
  }

  /** `findHints` returns sentences that may explain why a setting is missing. */
  throwIfRejected(findHints: () => readonly string[]): void {
    if (this.#issues.length > 0) throw new StartError([...this.#issues, ...findHints()].join('\n'));
  }

  /** An empty setting counts as absent, because that is how shells and compose files leave one out. */
  #find(name: SettingName): string | null {
    return this.#environment[name]?.trim() || null;
  }

  text(name: SettingName): string {
    return this.#find(name) ?? settings[name].default;
  }

  optionalText(name: SettingName): string | null {
    return this.#find(name);
  }

  integer(name: SettingName, minimum: number, maximum: number): number {
    const text = this.text(name);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      this.reject(name, `must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
    }
    return value;
  }

  oneOf<Value extends string>(
    name: SettingName,
    allowed: readonly Value[],
    fallback: string = settings[name].default,
  ): Value {
    const text = this.#find(name) ?? fallback;
    const value = allowed.find((each) => each === text);
    if (value === undefined) this.reject(name, `must be one of ${allowed.join(', ')}, not "${text}"`);
    return value ?? (allowed[0] as Value);
  }

  flag(name: SettingName, fallback: boolean): boolean {
    const text = this.#find(name)?.toLowerCase();
    if (text === undefined) return fallback;
    if (text !== 'on' && text !== 'off') this.reject(name, `must be on or off, not "${text}"`);
    return text === 'on';
  }

  secret(name: SettingName, minimumLength: number): string | null {
    const text = this.#find(name);
    if (text !== null && text.length < minimumLength) {
      this.reject(name, `must have at least ${minimumLength} characters`);
    }
    return text;
  }

  /** A key of 32 bytes, in hexadecimal. It may be given in Base64 too. The value is not quoted, because it is secret. */
  encryptionKey(name: SettingName): string | null {
    const text = this.#find(name);
    if (text === null) return null;
    const key = decodeKey(text);
    if (key.length !== dataKeyBytes) {
      this.reject(
        name,
        `must be ${dataKeyBytes} bytes in Base64 or hexadecimal, such as \`openssl rand -hex 32\` prints`,
      );
    }
    return key.toString('hex');
  }

  /** The value is not quoted, because it may contain a password. */
  databaseUrl(name: SettingName): string | null {
    const text = this.#find(name);
    if (text === null) return null;
    if (!isDatabaseUrl(text)) {
      this.reject(
        name,
        'must have the form postgres://user:password@host:port/name, with several hosts separated by commas, and ' +
          'target_session_attrs, if it is given, must be any, read-write or primary',
      );
    }
    return text;
  }

  /** A number from 0 to 1. */
  ratio(name: SettingName): number {
    const text = this.text(name);
    const value = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || value > 1) {
      this.reject(name, `must be a number from 0 to 1, not "${text}"`);
    }
    return value;
  }

  /** Headers as OpenTelemetry writes them: `name=value`, percent-encoded. Not quoted, because they contain tokens. */
  headers(name: SettingName): Record<string, string> {
    const parts = this.#find(name)?.split(',') ?? [];
    const headers = parts.map((part) => /^\s*([\w-]+)=([\x20-\x7e]+)$/.exec(part));
    if (headers.includes(null)) this.reject(name, 'must have the form name=value,other-name=value');
    return Object.fromEntries(headers.map((match) => [match?.[1], decodeHeader(match?.[2] ?? '')]));
  }

  /** Several URLs, each of which may name several hosts. */
  databaseUrls(name: SettingName): string[] {
    const urls = this.#find(name)?.split(/,\s*(?=postgres(?:ql)?:\/\/)/) ?? [];
    if (!urls.every(isDatabaseUrl)) {
      this.reject(name, 'must be one or more URLs of the form postgres://user:password@host:port/name');
    }
    return urls;
  }

  /** A base URL. The version prefix is added when it is missing. */
  baseUrl(name: SettingName): string | null {
    const text = this.#find(name)?.replace(/\/+$/, '');
    if (text === undefined) return null;
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
      this.reject(name, `must be a URL such as https://api.shop.example/api/v1, not "${text}"`);
    }
    return text.endsWith('/api/v1') ? text : `${text}/api/v1`;
  }

  /** The value is not quoted, because a URL may contain a password or a key. */
  url(name: SettingName, protocol: RegExp, example: string): string | null {
    const text = this.#find(name);
    if (text !== null && !protocol.test(parseUrl(text)?.protocol ?? '')) {
      this.reject(name, `must be a URL such as ${example}`);
    }
    return text;
  }

  domain(name: SettingName): string | null {
    const text = this.#find(name);
    if (text !== null && !isDomain(text)) {
      this.reject(name, `must be a domain such as shop.example, with a port if necessary, not "${text}"`);
    }
    return text;
  }

  domains(name: SettingName): string[] {
    const domains = this.#list(name);
    for (const domain of domains) {
      if (!isDomain(domain)) {
        this.reject(name, `must be a list of domains such as shop.example: "${domain}" is not a domain`);
      }
    }
    return domains;
  }

  wallets(name: SettingName): string[] {
    const wallets = this.#list(name);
    for (const wallet of wallets) {
      if (!addressForm.test(wallet)) {
        this.reject(name, `must be a list of wallet addresses: "${wallet}" is not an Ethereum address`);
      }
    }
    return wallets.map((wallet) => wallet.toLowerCase());
  }

  contract(name: SettingName): string | null {
    const text = this.#find(name);
    if (text !== null && !addressForm.test(text)) {
      this.reject(name, `must be the address of a contract: "${text}" is not an Ethereum address`);
    }
    return text?.toLowerCase() ?? null;
  }

  /** A provider: the template of its links, and the secrets of its callbacks, which are never quoted. */
  provider(urlName: SettingName, secretName: SettingName, example: string): ProviderConfig | null {
    const url = this.#find(urlName);
    const secrets = this.#list(secretName);
    if (url === null && secrets.length === 0) return null;
    if (url === null)
      this.reject(secretName, `is only used together with ${urlName}: set both, or remove it`);
    else if (!isLinkTemplate(url)) {
      this.reject(
        urlName,
        `must be a URL with https and the placeholder {reference}, such as ${example}?reference={reference}`,
      );
    }
    if (secrets.length === 0) this.reject(secretName, `is required with ${urlName}`);
    else if (secrets.some((secret) => readWebhookSecret(secret) === null)) {
      this.reject(secretName, 'must be whsec_ and the Base64 of 24 to 64 random bytes');
    }
    return { url: url ?? '', secrets };
  }

  #list(name: SettingName): string[] {
    return (this.#find(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  }

  /** A list of networks. `off` is the empty list. */
  networks(name: SettingName): string[] {
    const networks = this.#list(name);
    if (networks.length === 1 && networks[0]?.toLowerCase() === 'off') return [];
    for (const network of networks) {
      const issue = findNetworkIssue(network);
      if (issue)
        this.reject(name, `must be a list of networks such as 10.0.0.0/8,fd00::/8 or loopback: ${issue}`);
    }
    return networks;
  }

  origins(name: SettingName): string[] {
    const origins = this.#list(name);
    for (const origin of origins) {
      if (origin !== '*' && parseUrl(origin)?.origin !== origin) {
        this.reject(
          name,
          `must be a list of origins such as https://shop.example: "${origin}" is not an origin`,
        );
      }
    }
    return origins;
  }
}

/** Whether the text is a host as browsers spell it, in lower case and with a port if it is not the usual one. */
function isDomain(text: string): boolean {
  return /^[a-z0-9.:[\]-]{1,255}$/.test(text) && parseUrl(`https://${text}`)?.host === text;
}

function decodeKey(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return /^[\w+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
}

/** The largest networks that a list may contain: 10.0.0.0/8 and fc00::/7. Larger ones contain public addresses. */
const minPrefixLengths = { 4: 8, 6: 7 } as const;

/** Returns why the text is not a network that can be trusted; null if it is one. */
function findNetworkIssue(text: string): string | null {
  if (text === 'loopback') return null;
  if (/^(on|true|yes|all|\*|\d+)$/i.test(text)) {
    return `"${text}" would trust whoever connects, so name the addresses of your proxies instead`;
  }
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || rest.length > 0 || address.includes('%')) {
    return `"${text}" is not a network`;
  }
  if (/^::ffff:/i.test(address)) return `write the IPv4 network "${text}" without ::ffff:`;
  const maxLength = version === 4 ? 32 : 128;
  const length = prefix === undefined ? maxLength : Number(prefix);
  if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || length > maxLength)) {
    return `"${text}" must end with a prefix length from ${minPrefixLengths[version]} to ${maxLength}`;
  }
  return length < minPrefixLengths[version] || (version === 6 && containsMappedAddresses(address, length))
    ? `"${text}" is too large to be the network of your proxies`
    : null;
}

/** Whether an IPv6 network contains the IPv4 addresses in the notation of IPv6, which would trust all of them. */
function containsMappedAddresses(address: string, prefixLength: number): boolean {
  const network = new BlockList();
  network.addSubnet(address, prefixLength, 'ipv6');
  return network.check('::ffff:192.0.2.1', 'ipv6');
}

/** Customers follow the link, so it must be encrypted, unless it stays on this machine. */
function isLinkTemplate(text: string): boolean {
  if (!text.includes('{reference}')) return false;
  const url = parseUrl(text.replaceAll(/\{\w+\}/g, 'x'));
  return (
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
  );
}

function decodeHeader(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return text.trim();
  }
}

function isDatabaseUrl(text: string): boolean {
  if (!urlCharacters.test(text)) return false;
  try {
    parseServers(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns null also for a URL with characters that a browser would encode, because a wallet shows it unchanged. */
function parseUrl(text: string): URL | null {
  return urlCharacters.test(text) && URL.canParse(text) ? new URL(text) : null;
}
