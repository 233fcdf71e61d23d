import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../lib/errors/error-code.ts';
import { StartError } from '../lib/errors/start-error.ts';
import { findMisspeltSettings } from './misspelt-settings.ts';
import { readSecretFiles, secretFileVariables } from './secret-files.ts';
import { type SettingName, settings } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Values = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['read']> };
type Reject = (name: SettingName, rule: string) => void;

/** All settings, validated. No other part of the service reads the environment. */
export type Config = ReturnType<typeof readConfig>;

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

/** The settings of the start, with the secrets that files and `.env` have now. */
export function reloadSecrets(atStart: Environment): Environment {
  const latest = loadEnvironment();
  const secrets = [...secretFileVariables].flat().map((name) => [name, latest[name]]);
  return { ...atStart, ...Object.fromEntries(secrets) };
}

/** Reads and validates all settings. Throws a `StartError` with one sentence for each invalid setting. */
export function readConfig(given: Environment, { isTerminal = false } = {}) {
  const issues = new Set<string>();
  const reject: Reject = (name, rule) => void issues.add(`The setting ${name} ${rule}.`);
  const environment = readSecretFiles(given, reject);
  const values = readValues(environment, reject);
  rejectCombinations(values, reject);
  rejectInSandbox(values, reject);
  const isProduction = values.NODE_ENV === 'production';
  // An operator who misspells DATABASE_URL would otherwise run an empty shop that looks healthy.
  if (isProduction && findText(environment, 'DATABASE_URL') === null) {
    reject(
      'DATABASE_URL',
      'is required with NODE_ENV=production: set it to your PostgreSQL server, or to "embedded" for the embedded ' +
        'database in KEYFRONT_DATA',
    );
  }
  if (issues.size > 0) throw new StartError([...issues, ...findMisspeltSettings(given)].join('\n'));
  return {
    isProduction,
    host: values.HOST,
    port: values.PORT,
    workers: values.WORKERS,
    publicUrl: values.PUBLIC_URL,
    stagingUrl: values.STAGING_URL,
    /** Null for the embedded database in the data folder. */
    database: describeDatabase(values),
    databaseReplicaUrls: values.DATABASE_REPLICA_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    dataFolder: resolve(values.KEYFRONT_DATA),
    sandbox: values.KEYFRONT_SANDBOX,
    demo: values.KEYFRONT_DEMO ?? (values.DATABASE_URL === null && !isProduction && !values.KEYFRONT_SANDBOX),
    console: values.CONSOLE,
    /** Null if no images can be uploaded. */
    imageStorage: describeImageStorage(values),
    /** Null only with the embedded database, which stores a generated one in the data folder. */
    jwtSecret: values.JWT_SECRET,
    previousJwtSecret: values.JWT_SECRET_PREVIOUS,
    /** 32 bytes in hexadecimal. Null for the generated one, or for none with `DATABASE_URL`. */
    dataEncryptionKey: values.DATA_ENCRYPTION_KEY,
    previousDataEncryptionKey: values.DATA_ENCRYPTION_KEY_PREVIOUS,
    eventRetentionMs: values.EVENT_RETENTION_DAYS * 24 * 3_600_000,
    adminWallets: values.ADMIN_WALLETS,
    chainId: values.CHAIN_ID,
    signInDomain: values.SIGN_IN_DOMAIN,
    signInUri: values.SIGN_IN_URI,
    signInDomains: values.SIGN_IN_DOMAINS,
    rpcUrl: values.RPC_URL,
    tokenContract: values.TOKEN_CONTRACT,
    marketplaceContract: values.MARKETPLACE_CONTRACT,
    explorerUrl: values.EXPLORER_URL?.replace(/\/+$/, '') ?? null,
    chainStartBlock: values.CHAIN_START_BLOCK,
    sellerName: values.SELLER_NAME,
    kycProvider: describeProvider(values.KYC_URL, values.KYC_CALLBACK_SECRET),
    paymentProvider: describeProvider(values.PAYMENT_URL, values.PAYMENT_CALLBACK_SECRET),
    rateLimit: values.RATE_LIMIT,
    redisUrl: values.REDIS_URL,
    corsOrigins: values.CORS_ORIGINS,
    trustProxy: values.TRUST_PROXY,
    maxConnectionsPerAddress: values.MAX_CONNECTIONS_PER_ADDRESS,
    metricsToken: values.METRICS_TOKEN,
    tracing: describeTracing(values),
    shutdownDelayMs: values.SHUTDOWN_DELAY * 1_000,
    shutdownTimeoutMs: values.SHUTDOWN_TIMEOUT * 1_000,
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT ?? (isTerminal ? 'pretty' : 'json'),
  } as const;
}

/** An empty setting counts as absent, because that is how shells and compose files leave one out. */
const findText = (environment: Environment, name: string) => environment[name]?.trim() || null;

function readValues(environment: Environment, reject: Reject): Values {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = findText(environment, name);
    const issues = text === null ? [] : setting.findIssues(text);
    for (const issue of issues) reject(name as SettingName, `${setting.rule}${issue}`);
    return [name, setting.read(text)];
  });
  return Object.fromEntries(entries);
}

function rejectCombinations(values: Values, reject: Reject): void {
  const isSet = (name: SettingName) =>
    Array.isArray(values[name]) ? values[name].length > 0 : values[name] !== null;
  for (const [name, other] of [
    ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
    ['DATABASE_OWNER_URL', 'DATABASE_URL'],
    ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
    ['DATA_ENCRYPTION_KEY_PREVIOUS', 'DATA_ENCRYPTION_KEY'],
    ['KYC_CALLBACK_SECRET', 'KYC_URL'],
    ['PAYMENT_CALLBACK_SECRET', 'PAYMENT_URL'],
  ] as const) {
    if (isSet(name) && !isSet(other))
      reject(name, `is only used together with ${other}: set both, or remove it`);
  }
  for (const [name, other, advice] of [
    ['JWT_SECRET', 'DATABASE_URL', ': set it to at least 32 random characters'],
    ['KYC_CALLBACK_SECRET', 'KYC_URL', ''],
    ['PAYMENT_CALLBACK_SECRET', 'PAYMENT_URL', ''],
  ] as const) {
    if (isSet(other) && !isSet(name)) reject(name, `is required with ${other}${advice}`);
  }
  if (isSet('S3_ACCESS_KEY_ID') !== isSet('S3_SECRET_ACCESS_KEY')) {
    reject('S3_ACCESS_KEY_ID', 'is only used together with S3_SECRET_ACCESS_KEY: set both, or none');
  }
  if (!isSet('S3_BUCKET') && (isSet('S3_ENDPOINT') || isSet('S3_ACCESS_KEY_ID'))) {
    reject('S3_BUCKET', 'is required with the other settings of S3: set it, or remove them');
  }
  if (isSet('S3_BUCKET') && isSet('IMAGE_FOLDER'))
    reject('IMAGE_FOLDER', 'must not be set together with S3_BUCKET');
}

/** What must never meet play money. */
function rejectInSandbox(values: Values, reject: Reject): void {
  if (!values.KEYFRONT_SANDBOX) return;
  const together = 'must not be set together with KEYFRONT_SANDBOX=on';
  for (const name of ['KYC_URL', 'PAYMENT_URL'] as const) {
    if (values[name] !== null) reject(name, `${together}: a sandbox has a provider page of its own`);
  }
  if (values.MARKETPLACE_CONTRACT !== null && values.CHAIN_ID === ethereumMainnet) {
    reject(
      'MARKETPLACE_CONTRACT',
      `${together} and CHAIN_ID=1: a sale signed there could be bought for real`,
    );
  }
}

const ethereumMainnet = 1;

/** How to reach a PostgreSQL server. Each URL may name several hosts. `directUrl` is not null if `url` leads to a pooler. */
function describeDatabase({ DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl, DATABASE_OWNER_URL }: Values) {
  // Migrations need a session, which a connection pooler does not give.
  return url === null ? null : { url, directUrl, ownerUrl: DATABASE_OWNER_URL ?? directUrl ?? url };
}

const describeProvider = (url: string | null, secrets: readonly string[]) =>
  url === null ? null : { url, secrets };

function describeTracing(values: Values) {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === null) return null;
  const attributes = Object.fromEntries(values.OTEL_RESOURCE_ATTRIBUTES);
  const name = values.OTEL_SERVICE_NAME;
  return {
    endpoint,
    headers: Object.fromEntries(values.OTEL_EXPORTER_OTLP_HEADERS),
    resource: {
      'service.name': 'keyfront',
      ...attributes,
      ...(name === null ? {} : { 'service.name': name }),
    },
    sampleRatio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** The data folder is on one machine. It suffices for the embedded database, which only this machine uses. */
function describeImageStorage(values: Values) {
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ENDPOINT: endpoint } = values;
  if (bucket !== null) {
    const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values;
    const credentials =
      accessKeyId === null || secretAccessKey === null ? null : { accessKeyId, secretAccessKey };
    return { kind: 's3', bucket, region, endpoint, credentials } as const;
  }
  if (values.IMAGE_FOLDER !== null) return { kind: 'folder', folder: resolve(values.IMAGE_FOLDER) } as const;
  return values.DATABASE_URL === null
    ? ({ kind: 'folder', folder: resolve(values.KEYFRONT_DATA, 'images') } as const)
    : null;
}
