import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../lib/errors/error-code.ts';
import { StartError } from '../lib/errors/start-error.ts';
import type { LogFormat } from '../observability/log-output.ts';
import type { TracingConfig } from '../observability/tracing-config.ts';
import { findMisspeltSettings } from './misspelt-settings.ts';
import type { ProviderConfig } from './provider-config.ts';
import { type Environment, SettingReader } from './setting-reader.ts';

/** How to reach a PostgreSQL server. Each URL may name several hosts. */
export interface DatabaseUrls {
  readonly url: string;
  readonly ownerUrl: string;
  /** PostgreSQL itself, if `url` leads to a connection pooler. Otherwise null. */
  readonly directUrl: string | null;
}

/** Where uploaded images are stored. */
export type ImageStorage =
  | { readonly kind: 'folder'; readonly folder: string }
  | {
      readonly kind: 's3';
      readonly bucket: string;
      readonly region: string;
      /** Null: that of Amazon in the region. */
      readonly endpoint: string | null;
      /** Null: those that the SDK of Amazon finds, for example the role of the machine. */
      readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
    };

/** All settings, validated. No other part of the service reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly publicUrl: string | null;
  readonly stagingUrl: string | null;
  /** Null for the embedded database in the data folder. */
  readonly database: DatabaseUrls | null;
  /** Each may name several hosts. Empty if there are no replicas. */
  readonly databaseReplicaUrls: readonly string[];
  readonly databasePoolSize: number;
  readonly dataFolder: string;
  readonly demo: boolean;
  /** Whether the console is served. */
  readonly console: boolean;
  /** Null if no images can be uploaded. */
  readonly imageStorage: ImageStorage | null;
  /** Null only with the embedded database, which stores a generated one in the data folder. */
  readonly jwtSecret: string | null;
  /** Still accepted, so that a change of the secret does not sign anybody out. */
  readonly previousJwtSecret: string | null;
  /** Encrypts medical records: 32 bytes in hexadecimal. Null for the generated one, or for none with `DATABASE_URL`. */
  readonly dataEncryptionKey: string | null;
  /** Still decrypts what was encrypted before the key was changed. */
  readonly previousDataEncryptionKey: string | null;
  readonly eventRetentionMs: number;
  /** In lower case. */
  readonly adminWallets: readonly string[];
  /** The chain id, domain and URI of the ERC-4361 message that wallets sign. Null to derive them from the base URL. */
  readonly chainId: number;
  readonly signInDomain: string | null;
  readonly signInUri: string | null;
  /** The domains of storefronts at which wallets may sign in as well. */
  readonly signInDomains: readonly string[];
  readonly rpcUrl: string | null;
  /** In lower case. */
  readonly tokenContract: string | null;
  readonly marketplaceContract: string | null;
  readonly explorerUrl: string | null;
  readonly chainStartBlock: number;
  /** Null where the operator has set up none. */
  readonly kycProvider: ProviderConfig | null;
  readonly paymentProvider: ProviderConfig | null;
  readonly rateLimit: boolean;
  readonly redisUrl: string | null;
  readonly corsOrigins: readonly string[];
  /** The networks of trusted proxies, in CIDR notation or by name. Empty if none is trusted. */
  readonly trustProxy: readonly string[];
  readonly maxConnectionsPerAddress: number;
  readonly metricsToken: string | null;
  /** Null where no receiver is configured. */
  readonly tracing: TracingConfig | null;
  /** The time between the first sign of the shutdown and the end of new connections. */
  readonly shutdownDelayMs: number;
  /** The time that running requests have to finish after that. */
  readonly shutdownTimeoutMs: number;
  readonly logLevel: string;
  readonly logFormat: LogFormat;
}

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
  const databaseUrl = readDatabaseUrl(reader);
  const directUrl = reader.databaseUrl('DATABASE_DIRECT_URL');
  const ownerUrl = reader.databaseUrl('DATABASE_OWNER_URL');
  const replicaUrls = reader.databaseUrls('DATABASE_REPLICA_URL');
  const jwtSecret = reader.secret('JWT_SECRET', 32);
  if (databaseUrl !== null && jwtSecret === null) {
    reader.reject('JWT_SECRET', 'is required with DATABASE_URL: set it to at least 32 random characters');
  }
  const dataEncryptionKey = reader.encryptionKey('DATA_ENCRYPTION_KEY');
  const previousDataEncryptionKey = reader.encryptionKey('DATA_ENCRYPTION_KEY_PREVIOUS');
  if (previousDataEncryptionKey !== null && dataEncryptionKey === null) {
    reader.reject(
      'DATA_ENCRYPTION_KEY_PREVIOUS',
      'is only used together with DATA_ENCRYPTION_KEY: set both, or remove it',
    );
  }
  for (const [name, url] of [
    ['DATABASE_DIRECT_URL', directUrl],
    ['DATABASE_OWNER_URL', ownerUrl],
    ['DATABASE_REPLICA_URL', replicaUrls[0] ?? null],
  ] as const) {
    if (databaseUrl === null && url !== null) {
      reader.reject(name, 'is only used together with DATABASE_URL: set both, or remove it');
    }
  }
  const dataFolder = resolve(reader.text('KEYFRONT_DATA'));
  const config: Config = {
    host: reader.text('HOST'),
    port: reader.integer('PORT', 0, 65_535),
    workers: reader.integer('WORKERS', 1, 256),
    publicUrl: reader.baseUrl('PUBLIC_URL'),
    stagingUrl: reader.baseUrl('STAGING_URL'),
    database: databaseUrl === null ? null : readDatabaseUrls(databaseUrl, directUrl, ownerUrl),
    databaseReplicaUrls: replicaUrls,
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 1, 500),
    dataFolder,
    demo: reader.flag('KEYFRONT_DEMO', databaseUrl === null && !isProduction(reader)),
    console: reader.flag('CONSOLE', true),
    imageStorage: readImageStorage(reader, databaseUrl === null ? join(dataFolder, 'images') : null),
    jwtSecret,
    previousJwtSecret: reader.secret('JWT_SECRET_PREVIOUS', 32),
    dataEncryptionKey,
    previousDataEncryptionKey,
    eventRetentionMs: reader.integer('EVENT_RETENTION_DAYS', 1, 3_650) * 24 * 3_600_000,
    adminWallets: reader.wallets('ADMIN_WALLETS'),
    chainId: reader.integer('CHAIN_ID', 1, Number.MAX_SAFE_INTEGER),
    signInDomain: reader.domain('SIGN_IN_DOMAIN'),
    signInDomains: reader.domains('SIGN_IN_DOMAINS'),
    signInUri: reader.url('SIGN_IN_URI', /^https?:$/, 'https://shop.example'),
    rpcUrl: reader.url('RPC_URL', /^https?:$/, 'https://node.example'),
    tokenContract: reader.contract('TOKEN_CONTRACT'),
    marketplaceContract: reader.contract('MARKETPLACE_CONTRACT'),
    explorerUrl:
      reader.url('EXPLORER_URL', /^https?:$/, 'https://explorer.example')?.replace(/\/+$/, '') ?? null,
    chainStartBlock: reader.integer('CHAIN_START_BLOCK', 0, Number.MAX_SAFE_INTEGER),
    kycProvider: reader.provider('KYC_URL', 'KYC_CALLBACK_SECRET', 'https://identity.example/start'),
    paymentProvider: reader.provider('PAYMENT_URL', 'PAYMENT_CALLBACK_SECRET', 'https://pay.example'),
    rateLimit: reader.flag('RATE_LIMIT', true),
    redisUrl: reader.url('REDIS_URL', /^rediss?:$/, 'redis://cache.example:6379'),
    corsOrigins: reader.origins('CORS_ORIGINS'),
    trustProxy: reader.networks('TRUST_PROXY'),
    maxConnectionsPerAddress: reader.integer('MAX_CONNECTIONS_PER_ADDRESS', 1, 1_000_000),
    metricsToken: reader.secret('METRICS_TOKEN', 16),
    tracing: readTracing(reader),
    shutdownDelayMs: reader.integer('SHUTDOWN_DELAY', 0, 3_600) * 1_000,
    shutdownTimeoutMs: reader.integer('SHUTDOWN_TIMEOUT', 1, 3_600) * 1_000,
    logLevel: reader.oneOf('LOG_LEVEL', logLevels),
    logFormat: reader.oneOf('LOG_FORMAT', logFormats, isTerminal ? 'pretty' : 'json'),
  };
  reader.throwIfRejected(() => findMisspeltSettings(environment));
  return config;
}

const isProduction = (reader: SettingReader): boolean => reader.optionalText('NODE_ENV') === 'production';

const embedded = 'embedded';

/**
 * Returns null for the embedded database. In production it must be chosen by name, because an operator who misspells
 * DATABASE_URL would otherwise run an empty shop that looks healthy.
 */
function readDatabaseUrl(reader: SettingReader): string | null {
  const text = reader.optionalText('DATABASE_URL');
  if (text === null && isProduction(reader)) {
    reader.reject(
      'DATABASE_URL',
      `is required with NODE_ENV=production: set it to your PostgreSQL server, or to "${embedded}" for the embedded ` +
        'database in KEYFRONT_DATA',
    );
  }
  return text === embedded ? null : reader.databaseUrl('DATABASE_URL');
}

function readDatabaseUrls(url: string, directUrl: string | null, ownerUrl: string | null): DatabaseUrls {
  // Migrations need a session, which a connection pooler does not give.
  return { url, directUrl, ownerUrl: ownerUrl ?? directUrl ?? url };
}

function readTracing(reader: SettingReader): TracingConfig | null {
  const endpoint = reader.url('OTEL_EXPORTER_OTLP_ENDPOINT', /^https?:$/, 'http://collector.example:4318');
  const headers = reader.headers('OTEL_EXPORTER_OTLP_HEADERS');
  const serviceName = reader.text('OTEL_SERVICE_NAME');
  const sampleRatio = reader.ratio('OTEL_TRACES_SAMPLER_ARG');
  return endpoint === null ? null : { endpoint, headers, serviceName, sampleRatio };
}

/** A data folder is on one machine. It suffices for the embedded database, which only this machine uses. */
function readImageStorage(reader: SettingReader, defaultFolder: string | null): ImageStorage | null {
  const bucket = reader.optionalText('S3_BUCKET');
  const endpoint = reader.url('S3_ENDPOINT', /^https?:$/, 'https://storage.example');
  const accessKeyId = reader.optionalText('S3_ACCESS_KEY_ID');
  const secretAccessKey = reader.optionalText('S3_SECRET_ACCESS_KEY');
  const folder = reader.optionalText('IMAGE_FOLDER');
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    reader.reject('S3_ACCESS_KEY_ID', 'is only used together with S3_SECRET_ACCESS_KEY: set both, or none');
  }
  if (bucket === null) {
    if (endpoint !== null || accessKeyId !== null) {
      reader.reject('S3_BUCKET', 'is required with the other settings of S3: set it, or remove them');
    }
    const path = folder === null ? defaultFolder : resolve(folder);
    return path === null ? null : { kind: 'folder', folder: path };
  }
  if (folder !== null) reader.reject('IMAGE_FOLDER', 'must not be set together with S3_BUCKET');
  const credentials =
    accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey };
  return { kind: 's3', bucket, region: reader.text('S3_REGION'), endpoint, credentials };
}
