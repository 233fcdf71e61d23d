import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from './error-code.ts';
import { StartError } from './start-error.ts';

/** Every setting, read and checked. The only thing that the rest of the service knows of the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly publicUrl: string | null;
  readonly stagingUrl: string | null;
  /** Null: the embedded database in the data folder. */
  readonly database: { readonly url: string; readonly ownerUrl: string } | null;
  readonly databasePoolSize: number;
  readonly dataFolder: string;
  readonly demo: boolean;
  /** Null only with the embedded database, whose data folder keeps one. */
  readonly jwtSecret: string | null;
  /** Still accepted, so that a change of the secret signs nobody out. */
  readonly previousJwtSecret: string | null;
  /** In lower case. */
  readonly adminWallets: readonly string[];
  /** What a wallet is asked to sign: ERC-4361's chain id, domain and URI. Null: taken from the base address. */
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
  readonly trustProxy: boolean;
  readonly metricsToken: string | null;
  readonly logLevel: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  /** As the README shows it; the text that is read when the setting is absent, unless it is in words. */
  readonly default: string;
  readonly description: string;
}

/** The settings with their defaults: the table in the README is the same. */
export const settings = {
  HOST: { default: '127.0.0.1', description: 'The interface to listen on' },
  PORT: { default: '3000', description: 'The port to listen on; `0` takes a free one' },
  WORKERS: { default: '1', description: 'How many processes serve the port, all on one database' },
  PUBLIC_URL: { default: 'where it listens', description: 'The base address as callers reach it' },
  STAGING_URL: {
    default: 'none',
    description: 'The base address of a staging environment, for `openapi.json`',
  },
  DATABASE_URL: {
    default: 'the embedded database',
    description: 'A PostgreSQL 15 or newer to use, as `postgres://user:password@host:port/name`',
  },
  DATABASE_OWNER_URL: {
    default: '`DATABASE_URL`',
    description: 'The same database as another user, who owns the schema and applies migrations',
  },
  DATABASE_POOL_SIZE: { default: '10', description: 'Connections to the database of each process' },
  KEYFRONT_DATA: {
    default: '.keyfront',
    description: 'The folder of the embedded database, secrets and demo',
  },
  KEYFRONT_DEMO: {
    default: '`on` with the embedded database, else `off`',
    description: 'Whether a database without holders is filled with demo data',
  },
  JWT_SECRET: {
    default: 'made and kept in `KEYFRONT_DATA`; required with `DATABASE_URL`',
    description: 'Signs the tokens of signed-in wallets; 32 characters or more',
  },
  JWT_SECRET_PREVIOUS: { default: 'none', description: 'The secret before the last change, still accepted' },
  ADMIN_WALLETS: {
    default: 'none; the demo has one',
    description: 'Wallet addresses of administrators, with commas between',
  },
  CHAIN_ID: { default: '1', description: 'The chain that wallets sign in for' },
  SIGN_IN_DOMAIN: {
    default: 'the host of the base address',
    description: 'The domain a wallet shows to its owner at sign-in',
  },
  SIGN_IN_URI: {
    default: 'the base address',
    description: 'The address a wallet shows to its owner at sign-in',
  },
  RPC_URL: {
    default: 'none',
    description: 'An Ethereum node, to verify the signatures of smart wallets',
  },
  TOKEN_CONTRACT: {
    default: 'none',
    description: 'The contract of the digital keys, to follow it on the chain',
  },
  MARKETPLACE_CONTRACT: {
    default: 'none',
    description: 'The contract of the marketplace; signatures of sales name it',
  },
  CHAIN_START_BLOCK: { default: '0', description: 'The block to read the chain from' },
  RATE_LIMIT: { default: 'on', description: '`off` takes the limits away, for benchmarks' },
  REDIS_URL: {
    default: 'none',
    description: 'A Redis that counts for the limits, where several machines serve',
  },
  CORS_ORIGINS: {
    default: 'none',
    description: 'Origins whose pages may call from a browser, with commas between; `*` for all',
  },
  TRUST_PROXY: { default: 'off', description: '`on` behind a proxy that sets `X-Forwarded-For`' },
  METRICS_TOKEN: {
    default: 'none',
    description: 'Bearer token for `/metrics` from other machines; 16 characters or more',
  },
  LOG_LEVEL: {
    default: 'info',
    description: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof settings;

const addressForm = /^0x[0-9a-fA-F]{40}$/;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

/** Reads the environment, with a `.env` file beneath it. */
export function loadEnvironment(folder: string = process.cwd()): Environment {
  let text: string;
  try {
    text = readFileSync(join(folder, '.env'), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return process.env;
    throw new StartError('The file .env cannot be read: make it readable or remove it.', { cause: error });
  }
  return { ...parseEnv(text), ...process.env };
}

/** Checks the whole environment and complains about all of it at once, one sentence for each setting. */
export function readConfig(environment: Environment): Config {
  const reader = new SettingReader(environment);
  const databaseUrl = reader.databaseUrl('DATABASE_URL');
  const ownerUrl = reader.databaseUrl('DATABASE_OWNER_URL');
  const jwtSecret = reader.secret('JWT_SECRET', 32);
  if (databaseUrl !== null && jwtSecret === null) {
    reader.refuse('JWT_SECRET', 'must be set when DATABASE_URL is, to 32 random characters or more');
  }
  if (databaseUrl === null && ownerUrl !== null) {
    reader.refuse(
      'DATABASE_OWNER_URL',
      'is only used together with DATABASE_URL: set that too, or remove this',
    );
  }
  const config: Config = {
    host: reader.text('HOST'),
    port: reader.integer('PORT', 0, 65_535),
    workers: reader.integer('WORKERS', 1, 256),
    publicUrl: reader.baseAddress('PUBLIC_URL'),
    stagingUrl: reader.baseAddress('STAGING_URL'),
    database: databaseUrl === null ? null : { url: databaseUrl, ownerUrl: ownerUrl ?? databaseUrl },
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 1, 500),
    dataFolder: resolve(reader.text('KEYFRONT_DATA')),
    demo: reader.flag('KEYFRONT_DEMO', databaseUrl === null),
    jwtSecret,
    previousJwtSecret: reader.secret('JWT_SECRET_PREVIOUS', 32),
    adminWallets: reader.wallets('ADMIN_WALLETS'),
    chainId: reader.integer('CHAIN_ID', 1, Number.MAX_SAFE_INTEGER),
    signInDomain: reader.domain('SIGN_IN_DOMAIN'),
    signInUri: reader.address('SIGN_IN_URI', /^https?:$/, 'https://shop.example'),
    rpcUrl: reader.address('RPC_URL', /^https?:$/, 'https://node.example'),
    tokenContract: reader.contract('TOKEN_CONTRACT'),
    marketplaceContract: reader.contract('MARKETPLACE_CONTRACT'),
    chainStartBlock: reader.integer('CHAIN_START_BLOCK', 0, Number.MAX_SAFE_INTEGER),
    rateLimit: reader.flag('RATE_LIMIT', true),
    redisUrl: reader.address('REDIS_URL', /^rediss?:$/, 'redis://cache.example:6379'),
    corsOrigins: reader.origins('CORS_ORIGINS'),
    trustProxy: reader.flag('TRUST_PROXY', false),
    metricsToken: reader.secret('METRICS_TOKEN', 16),
    logLevel: reader.oneOf('LOG_LEVEL', logLevels),
  };
  reader.throwIfRefused();
  return config;
}

class SettingReader {
  readonly #environment: Environment;
  readonly #sentences: string[] = [];

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  refuse(name: SettingName, rule: string): void {
    this.#sentences.push(`The setting ${name} ${rule}.`);
  }

  throwIfRefused(): void {
    if (this.#sentences.length > 0) throw new StartError(this.#sentences.join('\n'));
  }

  /** An empty setting counts as absent: that is how shells and compose files leave one out. */
  #given(name: SettingName): string | null {
    return this.#environment[name]?.trim() || null;
  }

  text(name: SettingName): string {
    return this.#given(name) ?? settings[name].default;
  }

  integer(name: SettingName, minimum: number, maximum: number): number {
    const text = this.text(name);
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
      this.refuse(name, `must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
    }
    return value;
  }

  oneOf(name: SettingName, allowed: string[]): string {
    const text = this.text(name);
    if (!allowed.includes(text)) this.refuse(name, `must be one of ${allowed.join(', ')}, not "${text}"`);
    return text;
  }

  flag(name: SettingName, fallback: boolean): boolean {
    const text = this.#given(name)?.toLowerCase();
    if (text === undefined) return fallback;
    if (text !== 'on' && text !== 'off') this.refuse(name, `must be on or off, not "${text}"`);
    return text === 'on';
  }

  secret(name: SettingName, minimumLength: number): string | null {
    const text = this.#given(name);
    if (text !== null && text.length < minimumLength) {
      this.refuse(name, `must have ${minimumLength} characters or more`);
    }
    return text;
  }

  /** Never quoted in a complaint: it may hold a password. */
  databaseUrl(name: SettingName): string | null {
    const text = this.#given(name);
    if (text === null) return null;
    const url = parseUrl(text);
    if (url?.protocol !== 'postgres:' && url?.protocol !== 'postgresql:') {
      this.refuse(name, 'must have the form postgres://user:password@host:port/name');
    }
    return text;
  }

  /** A base address, with the version prefix added where it was left out. */
  baseAddress(name: SettingName): string | null {
    const text = this.#given(name)?.replace(/\/+$/, '');
    if (text === undefined) return null;
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
      this.refuse(name, `must be an address such as https://api.shop.example/api/v1, not "${text}"`);
    }
    return text.endsWith('/api/v1') ? text : `${text}/api/v1`;
  }

  /** Quoted in no complaint: an address may carry a password or a key. */
  address(name: SettingName, protocol: RegExp, example: string): string | null {
    const text = this.#given(name);
    if (text !== null && !protocol.test(parseUrl(text)?.protocol ?? '')) {
      this.refuse(name, `must be an address such as ${example}`);
    }
    return text;
  }

  domain(name: SettingName): string | null {
    const text = this.#given(name);
    if (text !== null && parseUrl(`https://${text}`)?.host !== text) {
      this.refuse(name, `must be a domain such as shop.example, with a port if it has one, not "${text}"`);
    }
    return text;
  }

  wallets(name: SettingName): string[] {
    const wallets = this.#list(name);
    for (const wallet of wallets) {
      if (!addressForm.test(wallet)) {
        this.refuse(name, `must be a list of wallet addresses such as 0x…, and "${wallet}" is none`);
      }
    }
    return wallets.map((wallet) => wallet.toLowerCase());
  }

  contract(name: SettingName): string | null {
    const text = this.#given(name);
    if (text !== null && !addressForm.test(text)) {
      this.refuse(name, `must be the address of a contract such as 0x…, not "${text}"`);
    }
    return text?.toLowerCase() ?? null;
  }

  #list(name: SettingName): string[] {
    return (this.#given(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
  }

  origins(name: SettingName): string[] {
    const origins = this.#list(name);
    for (const origin of origins) {
      if (origin !== '*' && parseUrl(origin)?.origin !== origin) {
        this.refuse(name, `must be a list of origins such as https://shop.example, and "${origin}" is none`);
      }
    }
    return origins;
  }
}

/** Null also for what a browser would mend and a wallet, which shows it as it stands, would not. */
function parseUrl(text: string): URL | null {
  return /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/.test(text) && URL.canParse(text) ? new URL(text) : null;
}
