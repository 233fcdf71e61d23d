interface Setting {
  /** As the README shows it. If it is not a description in words, it is the value of an absent setting. */
  readonly default: string;
  readonly description: string;
}

/** The settings with their defaults. The table in the README must be the same. */
export const settings = {
  NODE_ENV: {
    default: 'none; `production` in the image and the systemd unit',
    description:
      '`production` requires `DATABASE_URL`, and loads no demo data unless `KEYFRONT_DEMO` is `on`',
  },
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
    default: '`embedded`; required with `NODE_ENV=production`',
    description:
      'A PostgreSQL server, 15 or newer, as `postgres://user:password@host:port/name`. Of several hosts, separated by ' +
      'commas, the one that accepts writes is used. `embedded` is the embedded database, also with `NODE_ENV=production`',
  },
  DATABASE_DIRECT_URL: {
    default: '`DATABASE_URL`',
    description: 'PostgreSQL itself, if `DATABASE_URL` leads to a connection pooler in transaction mode',
  },
  DATABASE_REPLICA_URL: {
    default: 'none',
    description:
      'Streaming replicas of the database for lists, searches, statistics and exports, separated by commas',
  },
  DATABASE_OWNER_URL: {
    default: '`DATABASE_DIRECT_URL`',
    description:
      'The same database as the user who owns the schema and applies migrations. Instances that only serve do not need it',
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
    default: '`on` with the embedded database, but not with `NODE_ENV=production`; otherwise `off`',
    description:
      'Loads demo data into a database without holders. The console offers its wallets to those who open it by the link that the ' +
      'start prints, but never with `TRUST_PROXY`, or with a `PUBLIC_URL` that is not on this machine',
  },
  CONSOLE: {
    default: 'on',
    description: 'Serves the web page of holders and administrators at `/console`. `off` disables it',
  },
  IMAGE_FOLDER: {
    default: '`images` in `KEYFRONT_DATA`; none with `DATABASE_URL`',
    description: 'The folder for uploaded images. All instances of the service must share it',
  },
  S3_BUCKET: {
    default: 'none',
    description:
      'A bucket for uploaded images, in place of a folder. Any store with the protocol of S3 will do',
  },
  S3_REGION: { default: 'us-east-1', description: 'The region of the bucket' },
  S3_ENDPOINT: {
    default: 'Amazon S3',
    description: 'The URL of another store, such as `https://storage.example`',
  },
  S3_ACCESS_KEY_ID: {
    default: 'those of the machine',
    description: 'The credentials for the bucket, together with `S3_SECRET_ACCESS_KEY`',
  },
  S3_SECRET_ACCESS_KEY: { default: 'none', description: 'The secret part of these credentials' },
  JWT_SECRET: {
    default: 'generated in `KEYFRONT_DATA`; required with `DATABASE_URL`',
    description: 'Signs the tokens of signed-in wallets. At least 32 characters',
  },
  JWT_SECRET_PREVIOUS: {
    default: 'none',
    description: 'The `JWT_SECRET` before the last change, still accepted',
  },
  DATA_ENCRYPTION_KEY: {
    default: 'generated in `KEYFRONT_DATA`; none with `DATABASE_URL`',
    description:
      'Encrypts medical records and the secrets of webhooks: 32 random bytes in Base64 or hexadecimal. Without it, both are refused',
  },
  DATA_ENCRYPTION_KEY_PREVIOUS: {
    default: 'none',
    description: 'The `DATA_ENCRYPTION_KEY` before the last change. Its records are encrypted again',
  },
  EVENT_RETENTION_DAYS: { default: '30', description: 'How many days events can be read' },
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
  SIGN_IN_DOMAINS: {
    default: 'none',
    description: 'The domains of other storefronts at which holders may sign in, separated by commas',
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
  EXPLORER_URL: {
    default: 'that of Ethereum or Sepolia if `CHAIN_ID` is one of them, else none',
    description: 'A block explorer, such as `https://etherscan.io`. The console links transactions to it',
  },
  CHAIN_START_BLOCK: { default: '0', description: 'The first block of the chain to read' },
  KYC_URL: {
    default: 'none; the demo has a page of its own',
    description:
      'Where clients prove their identity, such as `https://identity.example/start?reference={reference}`',
  },
  KYC_CALLBACK_SECRET: {
    default: 'none; required with `KYC_URL`',
    description:
      'The secret that the identity provider signs its callbacks with, as `whsec_…`. Several, separated by commas, while it changes',
  },
  PAYMENT_URL: {
    default: 'none; the demo has a page of its own',
    description:
      'Where customers pay, such as `https://pay.example/{reference}?amount={amount}&currency={currency}`. `{invoiceNumber}` and `{returnUrl}` are also filled in',
  },
  PAYMENT_CALLBACK_SECRET: {
    default: 'none; required with `PAYMENT_URL`',
    description: 'The same for the payment provider as `KYC_CALLBACK_SECRET` for the identity provider',
  },
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
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    default: 'none',
    description:
      'A receiver of OpenTelemetry traces by OTLP over HTTP, such as `http://collector.example:4318`',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    default: 'none',
    description: 'Headers for this receiver, as `name=value`, separated by commas',
  },
  OTEL_SERVICE_NAME: { default: 'keyfront', description: 'The name of the service in traces' },
  OTEL_TRACES_SAMPLER_ARG: {
    default: '1',
    description: 'The share of requests that are traced, from 0 to 1',
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

export type SettingName = keyof typeof settings;
