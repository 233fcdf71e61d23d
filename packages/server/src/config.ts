import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { parseServers } from './database/connection-url.ts';
import { errorCode } from './error-code.ts';
import type { LogFormat } from './http/log-output.ts';
import { StartError } from './start-error.ts';

/** How to reach a PostgreSQL server. Each URL may name several hosts. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string;
  /** PostgreSQL itself, if `url` leads to a connection pooler. Otherwise null. */
  readonly directUrl: string | null;
}

/** All settings, validated. No other part of the service reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly publicUrl: string | null;
  readonly stagingUrl: string | null;
  /** Null for the embedded database in the data folder. */
  readonly database: DatabaseUrls | null;
  readonly databasePoolSize: number;
  readonly dataFolder: string;
  readonly demo: boolean;
  /** Null only with the embedded database, which stores a generated one in the data folder. */
  readonly jwtSecret: string | null;
  /** Still accepted, so that a change of the secret does not sign anybody out. */
  readonly previousJwtSecret: string | null;
  /** In lower case. */
  readonly adminWallets: readonly string[];
  /** The chain id, domain and URI of the ERC-4361 message that wallets sign. Null to derive them from the base URL. */
  readonly chainId: number;
  readonly signInDomain: string | null;
  readonly signInUri: string | null;
  readonly rpcUrl: string | null;
  /** In lower case. */
  readonly tokenContract: string | null;
  readonly marketplaceContract: string | null;
  readonly chainStartBlock: number;
  readonly rateLimit: boolean;
  readonly redisUrl: string | null;
  readonly corsOrigins: readonly string[];
  /** The networks of trusted proxies, in CIDR notation or by name. Empty if none is trusted. */
  readonly trustProxy: readonly string[];
  readonly maxConnectionsPerAddress: number;
  readonly metricsToken: string | null;
  /** The time between the first sign of the shutdown and the end of new connections. */
  readonly shutdownDelayMs: number;
  /** The time that running requests have to finish after that. */
  readonly shutdownTimeoutMs: number;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  /** As the README shows it. If it is not a description in words, it is the value of an absent setting. */
  readonly default: string;
  readonly description: string;
}

/** The settings with their defaults. The table in the README must be the same. */
export const settings = {
  HOST: { default: '127.0.0.1', description: 'The network interface to listen on' },
  PORT: { default: '3000', description: 'The port to listen on. `0` chooses a free port' },
  WORKERS: { default: '1', description: 'The number of processes that serve the port' },
  PUBLIC_URL: {
    default: 'the address it listens on',
    description: 'The base URL under which clients reach the API',
  },
  STAGING_URL: {
    default: 'none',
    description: 'The base URL of a staging environment, listed in `openapi.json`',
  },
  DATABASE_URL: {
    default: 'the embedded database',
    description:
      'A PostgreSQL server, 15 or newer, as `postgres://user:password@host:port/name`. Of several hosts, separated by ' +
      'commas, the one that accepts writes is used',
  },
  DATABASE_DIRECT_URL: {
    default: '`DATABASE_URL`',
    description: 'PostgreSQL itself, if `DATABASE_URL` leads to a connection pooler in transaction mode',
  },
  DATABASE_OWNER_URL: {
    default: '`DATABASE_DIRECT_URL`',
    description: 'The same database as the user who owns the schema and applies migrations',
  },
  DATABASE_POOL_SIZE: {
    default: '10',
    description:
      'Database connections per process for requests of holders. Other work uses half as many more',
  },
  KEYFRONT_DATA: {
    default: '.keyfront',
    description: 'The folder for the embedded database, generated secrets and demo credentials',
  },
  KEYFRONT_DEMO: {
    default: '`on` with the embedded database, otherwise `off`',
    description: 'Loads demo data into a database without holders',
  },
  JWT_SECRET: {
    default: 'generated in `KEYFRONT_DATA`; required with `DATABASE_URL`',
    description: 'Signs the tokens of signed-in wallets. At least 32 characters',
  },
  JWT_SECRET_PREVIOUS: {
    default: 'none',
    description: 'The `JWT_SECRET` before the last change, still accepted',
  },
  ADMIN_WALLETS: {
    default: 'none; the demo adds one',
    description: 'The wallet addresses of administrators, separated by commas',
  },
  CHAIN_ID: { default: '1', description: 'The id of the chain for sign-in and the marketplace' },
  SIGN_IN_DOMAIN: {
    default: 'the host of the base URL',
    description: 'The domain that a wallet shows to its owner at sign-in',
  },
  SIGN_IN_URI: {
    default: 'the base URL',
    description: 'The URI that a wallet shows to its owner at sign-in',
  },
  RPC_URL: {
    default: 'none',
    description: 'An Ethereum node, to verify signatures of smart wallets and to follow the contracts',
  },
  TOKEN_CONTRACT: {
    default: 'none',
    description: 'The contract of the digital keys. The service follows it if `RPC_URL` is set too',
  },
  MARKETPLACE_CONTRACT: {
    default: 'none',
    description: 'The contract of the marketplace, which is part of each signed NFT sale',
  },
  CHAIN_START_BLOCK: { default: '0', description: 'The first block of the chain to read' },
  RATE_LIMIT: { default: 'on', description: '`off` disables the rate limits, for benchmarks' },
  REDIS_URL: {
    default: 'none',
    description: 'A Redis server that counts for the rate limits when several machines serve',
  },
  CORS_ORIGINS: {
    default: 'none',
    description: 'Origins of web pages that may call the API, separated by commas. `*` allows all',
  },
  TRUST_PROXY: {
    default: 'off',
    description:
      'The networks of proxies that set `X-Forwarded-For`, separated by commas, such as `10.0.0.0/8,fd00::/8` or `loopback`',
  },
  MAX_CONNECTIONS_PER_ADDRESS: {
    default: '1000',
    description: 'The number of connections that one address may open. It does not apply to a trusted proxy',
  },
  METRICS_TOKEN: {
    default: 'none',
    description: 'The bearer token that `/metrics` requires. At least 16 characters',
  },
  SHUTDOWN_DELAY: {
    default: '0',
    description:
      'Seconds between `SIGTERM` and the end of new connections. `5` is advised behind a load balancer',
  },
  SHUTDOWN_TIMEOUT: {
    default: '10',
    description: 'Seconds that running requests have to finish before the service ends',
  },
  LOG_LEVEL: {
    default: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  },
  LOG_FORMAT: {
    default: '`pretty` on a terminal, otherwise `json`',
    description:
      '`pretty` for people, `json` for programs: one JSON object per line. A few lines about the start and the end of the service are plain text in both',
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof settings;

const addressForm = /^0x[0-9a-fA-F]{40}$/;
const urlCharacters = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const logFormats = ['pretty', 'json'] as const;

/** Reads the environment and a `.env` file. The environment takes precedence. */
export function loadEnvironment(folder: string = process.cwd()): Environment {
  let text: string;
  try {
    text = readFileSync(join(folder, '.env'), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return process.env;
    throw new StartError('The file .env cannot be read: make it readable, or remove it.', { cause: error });
  }
  return { ...parseEnv(text), ...process.env };
}

/** Reads and validates all settings. Throws a `StartError` with one sentence for each invalid setting. */
export function readConfig(environment: Environment, { isTerminal = false } = {}): Config {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.databaseUrl('DATABASE_URL');
  const directUrl = reader.databaseUrl('DATABASE_DIRECT_URL');
  const ownerUrl = reader.databaseUrl('DATABASE_OWNER_URL');
  const jwtSecret = reader.secret('JWT_SECRET', 32);
  if (databaseUrl !== null && jwtSecret === null) {
    reader.reject('JWT_SECRET', 'is required with DATABASE_URL: set it to at least 32 random characters');
  }
  for (const [name, url] of [
    ['DATABASE_DIRECT_URL', directUrl],
    ['DATABASE_OWNER_URL', ownerUrl],
  ] as const) {
    if (databaseUrl === null && url !== null) {
      reader.reject(name, 'is only used together with DATABASE_URL: set both, or remove it');
    }
  }
  const config: Config = {
    host: reader.text('HOST'),
    port: reader.integer('PORT', 0, 65_535),
    workers: reader.integer('WORKERS', 1, 256),
    publicUrl: reader.baseUrl('PUBLIC_URL'),
    stagingUrl: reader.baseUrl('STAGING_URL'),
    database: databaseUrl === null ? null : readDatabaseUrls(databaseUrl, directUrl, ownerUrl),
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 1, 500),
    dataFolder: resolve(reader.text('KEYFRONT_DATA')),
    demo: reader.flag('KEYFRONT_DEMO', databaseUrl === null),
    jwtSecret,
    previousJwtSecret: reader.secret('JWT_SECRET_PREVIOUS', 32),
    adminWallets: reader.wallets('ADMIN_WALLETS'),
    chainId: reader.integer('CHAIN_ID', 1, Number.MAX_SAFE_INTEGER),
    signInDomain: reader.domain('SIGN_IN_DOMAIN'),
    signInUri: reader.url('SIGN_IN_URI', /^https?:$/, 'https://shop.example'),
    rpcUrl: reader.url('RPC_URL', /^https?:$/, 'https://node.example'),
    tokenContract: reader.contract('TOKEN_CONTRACT'),
    marketplaceContract: reader.contract('MARKETPLACE_CONTRACT'),
    chainStartBlock: reader.integer('CHAIN_START_BLOCK', 0, Number.MAX_SAFE_INTEGER),
    rateLimit: reader.flag('RATE_LIMIT', true),
    redisUrl: reader.url('REDIS_URL', /^rediss?:$/, 'redis://cache.example:6379'),
    corsOrigins: reader.origins('CORS_ORIGINS'),
    trustProxy: reader.networks('TRUST_PROXY'),
    maxConnectionsPerAddress: reader.integer('MAX_CONNECTIONS_PER_ADDRESS', 1, 1_000_000),
    metricsToken: reader.secret('METRICS_TOKEN', 16),
    shutdownDelayMs: reader.integer('SHUTDOWN_DELAY', 0, 3_600) * 1_000,
    shutdownTimeoutMs: reader.integer('SHUTDOWN_TIMEOUT', 1, 3_600) * 1_000,
    logLevel: reader.oneOf('LOG_LEVEL', logLevels),
    logFormat: reader.oneOf('LOG_FORMAT', logFormats, isTerminal ? 'pretty' : 'json'),
  };
  reader.throwIfRejected();
  return config;
}

function readDatabaseUrls(url: string, directUrl: string | null, ownerUrl: string | null): DatabaseUrls {
  // Migrations need a session, which a connection pooler does not give.
  return { url, directUrl, ownerUrl: ownerUrl ?? directUrl ?? url };
}

class SettingReader {
  readonly #environment: Environment;
  readonly #issues: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  reject(name: SettingName, rule: string): void {
    this.#issues.push(`The setting ${name} ${rule}.`);
  }

  throwIfRejected(): void {
    if (this.#issues.length > 0) throw new StartError(this.#issues.join('\n'));
  }

  /** An empty setting counts as absent, because that is how shells and compose files leave one out. */
  #find(name: SettingName): string | null {
    return this.#environment[name]?.trim() || null;
  }

  text(name: SettingName): string {
    return this.#find(name) ?? settings[name].default;
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
    if (text !== null && parseUrl(`https://${text}`)?.host !== text) {
      this.reject(name, `must be a domain such as shop.example, with a port if necessary, not "${text}"`);
    }
    return text;
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
  return length < minPrefixLengths[version]
    ? `"${text}" is too large to be the network of your proxies`
    : null;
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
