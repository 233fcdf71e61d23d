import * as kind from './setting-kinds.ts';

interface Setting<Value> extends Pick<kind.Kind<Value>, 'rule' | 'findIssues'> {
  /** The text is null if the setting is absent. */
  readonly read: (text: string | null) => Value;
  /** In Markdown, like the description. */
  readonly default: string;
  readonly description: string;
  readonly isSecret: boolean;
  /** The heading in the documentation. */
  readonly group: string;
}

function setting<Value>(of: kind.Kind<Value, unknown>, value: string, description: string): Setting<Value> {
  const read = (text: string | null) => of.convert(text ?? value);
  return { ...of, read, default: `\`${value}\``, description, isSecret: false, group: '' };
}

/** A setting whose default is no text of its kind, but described in words. */
function optional<Value, Absent>(of: kind.Kind<Value, Absent>, words: string, description: string) {
  const read = (text: string | null): Value | Absent => (text === null ? of.absent : of.convert(text));
  return { ...of, read, default: words, description, isSecret: false, group: '' };
}

/** Marked in the documentation, and never quoted in a message. */
function secret<Value>(of: Setting<Value>): Setting<Value> {
  return { ...of, isSecret: true, findIssues: (text) => of.findIssues(text).map(() => '') };
}

function group<Members extends Record<string, Setting<unknown>>>(title: string, members: Members): Members {
  const entries = Object.entries(members).map(([name, each]) => [name, { ...each, group: title }]);
  return Object.fromEntries(entries);
}

/** All settings. Configuration, messages and docs/operating/settings.md follow from here. */
// biome-ignore format: a table. The first line of a setting has its kind and its default, the next its description.
export const settings = {
  ...group('Server', {
    NODE_ENV: optional(kind.text, 'none; `production` in the image and the systemd unit',
      '`production` requires `DATABASE_URL`, and loads no demo data unless `KEYFRONT_DEMO` is `on`'),
    HOST: setting(kind.text, '127.0.0.1', 'The network interface to listen on'),
    PORT: setting(kind.integer(0, 65_535), '3000', 'The port to listen on. `0` chooses a free port'),
    WORKERS: setting(kind.integer(1, 256), '1', 'The number of processes that serve the port'),
    PUBLIC_URL: optional(kind.baseUrl, 'the address it listens on',
      'The base URL under which clients reach the API'),
    STAGING_URL: optional(kind.baseUrl, 'none',
      'The base URL of a staging environment, listed in `openapi.json`'),
    CONSOLE: setting(kind.flag, 'on', 'Serves the web page of holders and administrators at `/console`'),
    SHUTDOWN_DELAY: setting(kind.integer(0, 3_600), '0',
      'Seconds between `SIGTERM` and the end of new connections. `5` is advised behind a load balancer'),
    SHUTDOWN_TIMEOUT: setting(kind.integer(1, 3_600), '10',
      'Seconds that running requests have to finish before the service ends'),
  }),
  ...group('Database', {
    DATABASE_URL: secret(optional(kind.databaseUrlOrEmbedded, '`embedded`; required with `NODE_ENV=production`',
      'A PostgreSQL server, 15 or newer. Of several hosts, the one that accepts writes is used. `embedded` is the ' +
      'embedded database, also with `NODE_ENV=production`')),
    DATABASE_DIRECT_URL: secret(optional(kind.databaseUrl, '`DATABASE_URL`',
      'PostgreSQL itself, if `DATABASE_URL` leads to a connection pooler in transaction mode')),
    DATABASE_REPLICA_URL: secret(optional(kind.databaseUrls, 'none',
      'Streaming replicas of the database for lists, searches, statistics and exports, separated by commas')),
    DATABASE_OWNER_URL: secret(optional(kind.databaseUrl, '`DATABASE_DIRECT_URL`',
      'The same database as the user who owns the schema and applies migrations. Instances that only serve do not need it')),
    DATABASE_POOL_SIZE: setting(kind.integer(1, 500), '10',
      'Database connections per process for requests of holders. Other work uses half as many more'),
    EVENT_RETENTION_DAYS: setting(kind.integer(1, 3_650), '30', 'How many days events and deliveries of webhooks can be read'),
  }),
  ...group('Data folder and demo', {
    KEYFRONT_DATA: setting(kind.text, '.keyfront',
      'The folder for the embedded database, generated secrets and demo credentials'),
    KEYFRONT_SANDBOX: setting(kind.flag, 'off',
      'Lets holders act for administrators and providers with their own data, for developers of storefronts. Only on a database of its own'),
    KEYFRONT_DEMO: optional(kind.flag, '`on` with the embedded database, but not with `NODE_ENV=production` or `KEYFRONT_SANDBOX`; otherwise `off`',
      'Loads demo data into a database without holders. The console offers its wallets to those who open it by the link that ' +
      'the start prints, but never with `TRUST_PROXY`, or with a `PUBLIC_URL` that is not on this machine'),
  }),
  ...group('Images', {
    IMAGE_FOLDER: optional(kind.text, '`images` in `KEYFRONT_DATA`; none with `DATABASE_URL`',
      'The folder for uploaded images and archived orders. All instances of the service must share it'),
    S3_BUCKET: optional(kind.text, 'none',
      'A bucket for uploaded images and archived orders, in place of a folder. Any store with the protocol of S3 will do'),
    S3_REGION: setting(kind.text, 'us-east-1', 'The region of the bucket'),
    S3_ENDPOINT: optional(kind.url('https://storage.example'), 'Amazon S3', 'The URL of another store'),
    S3_ACCESS_KEY_ID: secret(optional(kind.text, 'those of the machine',
      'The credentials for the bucket, together with `S3_SECRET_ACCESS_KEY`')),
    S3_SECRET_ACCESS_KEY: secret(optional(kind.text, 'none', 'The secret part of these credentials')),
  }),
  ...group('Keys of the service', {
    JWT_SECRET: secret(optional(kind.minLength(32), 'generated in `KEYFRONT_DATA`; required with `DATABASE_URL`',
      'Signs the tokens of signed-in wallets')),
    JWT_SECRET_PREVIOUS: secret(optional(kind.minLength(32), 'none',
      'The `JWT_SECRET` before the last change, still accepted')),
    DATA_ENCRYPTION_KEY: secret(optional(kind.encryptionKey, 'generated in `KEYFRONT_DATA`; none with `DATABASE_URL`',
      'Encrypts medical records and the secrets of webhooks. Without it, both are refused')),
    DATA_ENCRYPTION_KEY_PREVIOUS: secret(optional(kind.encryptionKey, 'none',
      'The `DATA_ENCRYPTION_KEY` before the last change. Its records are encrypted again')),
  }),
  ...group('Sign-in', {
    ADMIN_WALLETS: optional(kind.wallets, 'none; the demo adds one',
      'The wallet addresses of administrators, separated by commas'),
    SIGN_IN_DOMAIN: optional(kind.domain, 'the host of the base URL',
      'The domain that a wallet shows to its owner at sign-in'),
    SIGN_IN_URI: optional(kind.url('https://shop.example'), 'the base URL',
      'The URI that a wallet shows to its owner at sign-in'),
    SIGN_IN_DOMAINS: optional(kind.domains, 'none',
      'The domains of other storefronts at which holders may sign in, separated by commas'),
  }),
  ...group('Chain', {
    CHAIN_ID: setting(kind.integer(1, Number.MAX_SAFE_INTEGER), '1',
      'The id of the chain for sign-in and the marketplace'),
    RPC_URL: secret(optional(kind.url('https://node.example'), 'none',
      'An Ethereum node, to verify signatures of smart wallets and to follow the contracts')),
    TOKEN_CONTRACT: optional(kind.contract, 'none',
      'The contract of the digital keys. The service follows it if `RPC_URL` is set too'),
    MARKETPLACE_CONTRACT: optional(kind.contract, 'none',
      'The contract of the marketplace, which is part of each signed NFT sale'),
    EXPLORER_URL: optional(kind.url('https://explorer.example'), 'that of Ethereum or Sepolia if `CHAIN_ID` is one of them, else none',
      'A block explorer. The console links transactions to it'),
    CHAIN_START_BLOCK: setting(kind.integer(0, Number.MAX_SAFE_INTEGER), '0',
      'The first block of the chain to read'),
  }),
  ...group('Providers', {
    KYC_URL: optional(kind.linkTemplate('https://identity.example/start'), 'none; the demo has a page of its own',
      'Where clients prove their identity. `{returnUrl}` is also filled in'),
    KYC_CALLBACK_SECRET: secret(optional(kind.callbackSecrets, 'none; required with `KYC_URL`',
      'The secret that the identity provider signs its callbacks with. Several, separated by commas, while it changes')),
    PAYMENT_URL: optional(kind.linkTemplate('https://pay.example'), 'none; the demo has a page of its own',
      'Where customers pay. `{amount}`, `{currency}`, `{invoiceNumber}` and `{returnUrl}` are also filled in'),
    PAYMENT_CALLBACK_SECRET: secret(optional(kind.callbackSecrets, 'none; required with `PAYMENT_URL`',
      'The same for the payment provider as `KYC_CALLBACK_SECRET` for the identity provider')),
  }),
  ...group('Invoices', {
    SELLER_NAME: setting(kind.text, 'Keyfront', 'Who invoices: the name on top of each invoice'),
  }),
  ...group('Callers and limits', {
    CORS_ORIGINS: optional(kind.origins, 'none',
      'Origins of web pages that may call the API, separated by commas. `*` allows all'),
    TRUST_PROXY: setting(kind.networks, 'off',
      'The networks of proxies that set `X-Forwarded-For`, separated by commas'),
    MAX_CONNECTIONS_PER_ADDRESS: setting(kind.integer(1, 1_000_000), '1000',
      'The number of connections that one address may open. It does not apply to a trusted proxy'),
    RATE_LIMIT: setting(kind.flag, 'on', '`off` disables the rate limits, for benchmarks'),
    REDIS_URL: secret(optional(kind.url('redis://cache.example:6379', /^rediss?:$/), 'none',
      'A Redis server that counts for the rate limits when several machines serve')),
  }),
  ...group('Logs, metrics and traces', {
    LOG_LEVEL: setting(kind.oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info',
      'The least severe lines that are logged'),
    LOG_FORMAT: optional(kind.oneOf('pretty', 'json'), '`pretty` on a terminal, otherwise `json`',
      '`pretty` for people, `json` for programs: one JSON object per line. A few lines about the start and the end of the ' +
      'service are plain text in both'),
    METRICS_TOKEN: secret(optional(kind.minLength(16), 'none', 'The bearer token that `/metrics` requires')),
    OTEL_EXPORTER_OTLP_ENDPOINT: optional(kind.url('http://collector.example:4318'), 'none',
      'A receiver of OpenTelemetry traces by OTLP over HTTP'),
    OTEL_EXPORTER_OTLP_HEADERS: secret(optional(kind.headers, 'none', 'Headers for this receiver')),
    OTEL_SERVICE_NAME: optional(kind.text, '`service.name` of `OTEL_RESOURCE_ATTRIBUTES`, or `keyfront`',
      'The name of the service in traces'),
    OTEL_RESOURCE_ATTRIBUTES: optional(kind.attributes, 'none',
      'What else traces tell about this service, such as `deployment.environment.name=production`. Values are percent-encoded'),
    OTEL_TRACES_SAMPLER_ARG: setting(kind.decimal(0, 1), '1', 'The share of requests that are traced'),
  }),
};

export type SettingName = keyof typeof settings;
