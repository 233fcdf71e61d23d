import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEnvironment, readConfig } from './config.ts';

const secret = 'thirty-two characters or even more';

const listIssues = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
};

const providerSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the configuration', () => {
  it('separates the URLs of replicas, but not the hosts of one', () => {
    const { databaseReplicaUrls } = readConfig({
      DATABASE_URL: 'postgres://x@y/z',
      JWT_SECRET: 'x'.repeat(32),
      DATABASE_REPLICA_URL: 'postgres://x@a,b:5433/z, postgresql://x@c/z',
    });
    expect(databaseReplicaUrls).toEqual(['postgres://x@a,b:5433/z', 'postgresql://x@c/z']);
  });

  it('has a default for every setting', () => {
    expect(readConfig({})).toEqual({
      isProduction: false,
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      publicUrl: null,
      stagingUrl: null,
      database: null,
      databaseReplicaUrls: [],
      databasePoolSize: 10,
      dataFolder: resolve('.keyfront'),
      sandbox: false,
      demo: true,
      console: true,
      imageStorage: { kind: 'folder', folder: resolve('.keyfront/images') },
      jwtSecret: null,
      dataEncryptionKey: null,
      previousDataEncryptionKey: null,
      eventRetentionMs: 30 * 24 * 3_600_000,
      previousJwtSecret: null,
      adminWallets: [],
      chainId: 1,
      signInDomain: null,
      signInUri: null,
      signInDomains: [],
      rpcUrl: null,
      tokenContract: null,
      marketplaceContract: null,
      explorerUrl: null,
      chainStartBlock: 0,
      sellerName: 'Keyfront',
      kycProvider: null,
      paymentProvider: null,
      rateLimit: true,
      redisUrl: null,
      corsOrigins: [],
      trustProxy: [],
      maxConnectionsPerAddress: 1000,
      metricsToken: null,
      tracing: null,
      shutdownDelayMs: 0,
      shutdownTimeoutMs: 10_000,
      logLevel: 'info',
      logFormat: 'json',
    });
  });

  it('treats an empty setting as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', KEYFRONT_DEMO: '' })).toEqual(readConfig({}));
  });

  it('turns the demo off with DATABASE_URL', () => {
    const own = { DATABASE_URL: 'postgres://a:b@db.example/shop', JWT_SECRET: secret };
    expect(readConfig(own)).toMatchObject({
      demo: false,
      database: { url: own.DATABASE_URL, ownerUrl: own.DATABASE_URL, directUrl: null },
    });
    expect(readConfig({ ...own, KEYFRONT_DEMO: 'on' }).demo).toBe(true);
    expect(readConfig({ KEYFRONT_DEMO: 'OFF' }).demo).toBe(false);
  });

  it('turns the demo off in a sandbox, unless it is chosen', () => {
    expect(readConfig({ KEYFRONT_SANDBOX: 'on' })).toMatchObject({ sandbox: true, demo: false });
    expect(readConfig({ KEYFRONT_SANDBOX: 'on', KEYFRONT_DEMO: 'on' }).demo).toBe(true);
  });

  it('uses the embedded database in production only if it is chosen', () => {
    const required =
      'The setting DATABASE_URL is required with NODE_ENV=production: set it to your PostgreSQL server, or to ' +
      '"embedded" for the embedded database in KEYFRONT_DATA.';
    const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://shop.example', JWT_SECRET: secret };
    expect(listIssues({ ...production, KEYFRONT_DATA: '/data', DATABASE_URL: ' ' })).toEqual([required]);
    expect(listIssues({ ...production, DATABSE_URL: 'postgres://a:b@db.example/shop' })).toEqual([
      required,
      'The environment variable DATABSE_URL is no setting of Keyfront: did you mean DATABASE_URL?',
    ]);
    expect(readConfig({ ...production, DATABASE_URL: 'embedded' })).toMatchObject({
      database: null,
      demo: false,
    });
    expect(readConfig({ ...production, DATABASE_URL: 'embedded', KEYFRONT_DEMO: 'on' }).demo).toBe(true);
    expect(readConfig({ DATABASE_URL: 'embedded' })).toEqual(readConfig({}));
    expect(readConfig({ NODE_ENV: 'development' })).toEqual(readConfig({}));
  });

  it('reads an encryption key in hexadecimal, Base64 and base64url', () => {
    const key = Buffer.alloc(32, 0xfb);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const given = { DATA_ENCRYPTION_KEY: key.toString(encoding) };
      expect(readConfig(given).dataEncryptionKey).toBe(key.toString('hex'));
    }
    expect(
      readConfig({
        DATA_ENCRYPTION_KEY: key.toString('hex'),
        DATA_ENCRYPTION_KEY_PREVIOUS: key.toString('hex').toUpperCase(),
      }).previousDataEncryptionKey,
    ).toBe(key.toString('hex'));
  });

  it.each([
    'open sesame',
    'fb'.repeat(31),
    'fb'.repeat(33),
    Buffer.alloc(31).toString('base64'),
    '*'.repeat(44),
  ])('rejects the encryption key %s without quoting it', (key) => {
    const read = () => readConfig({ DATA_ENCRYPTION_KEY: key });
    expect(read).toThrow(/^The setting DATA_ENCRYPTION_KEY must be 32 bytes in Base64 or hexadecimal/);
    expect(read).not.toThrow(key);
  });

  it('rejects a previous encryption key without a present one', () => {
    expect(() => readConfig({ DATA_ENCRYPTION_KEY_PREVIOUS: 'fb'.repeat(32) })).toThrow(
      'The setting DATA_ENCRYPTION_KEY_PREVIOUS is only used together with DATA_ENCRYPTION_KEY',
    );
  });

  it('adds the version prefix to a base URL without it', () => {
    for (const url of [
      'https://api.shop.example',
      'https://api.shop.example/',
      'https://api.shop.example/api/v1/',
    ]) {
      expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe('https://api.shop.example/api/v1');
    }
  });

  it('converts contract addresses to lower case', () => {
    const given = { TOKEN_CONTRACT: `0x${'Ab'.repeat(20)}`, MARKETPLACE_CONTRACT: `0x${'CD'.repeat(20)}` };
    expect(readConfig({ ...given, CHAIN_START_BLOCK: '21400000' })).toMatchObject({
      tokenContract: `0x${'ab'.repeat(20)}`,
      marketplaceContract: `0x${'cd'.repeat(20)}`,
      chainStartBlock: 21_400_000,
    });
  });

  it('reads the networks of proxies', () => {
    expect(readConfig({ TRUST_PROXY: 'OFF' }).trustProxy).toEqual([]);
    const networks = ['loopback', '10.0.0.0/8', '192.0.2.7', 'fd00::/8', '2001:db8::1', '2001:db8::/128'];
    expect(readConfig({ TRUST_PROXY: networks.join(' , ') }).trustProxy).toEqual(networks);
  });

  it('reads a provider: the template of its links, and its secrets', () => {
    const url = 'https://identity.example/start?reference={reference}';
    const secrets = [24, 32, 64].map((bytes) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`);
    const KYC_CALLBACK_SECRET = secrets.join(', ');
    expect(readConfig({ KYC_URL: url, KYC_CALLBACK_SECRET }).kycProvider).toEqual({ url, secrets });
    const local = 'http://localhost:4000/{reference}';
    expect(readConfig({ KYC_URL: local, KYC_CALLBACK_SECRET }).kycProvider?.url).toBe(local);
  });

  it('stores images in the data folder, a shared folder or a bucket', () => {
    const external = { DATABASE_URL: 'postgres://a:b@db.example/shop', JWT_SECRET: secret };
    // Other instances cannot see the data folder of this machine.
    expect(readConfig(external).imageStorage).toBeNull();
    expect(readConfig({ ...external, IMAGE_FOLDER: '/srv/images' }).imageStorage).toEqual({
      kind: 'folder',
      folder: resolve('/srv/images'),
    });
    const bucket = { ...external, S3_BUCKET: 'shop', S3_ENDPOINT: 'https://storage.example' };
    expect(
      readConfig({ ...bucket, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }).imageStorage,
    ).toEqual({
      kind: 's3',
      bucket: 'shop',
      region: 'us-east-1',
      endpoint: 'https://storage.example',
      credentials: { accessKeyId: 'id', secretAccessKey: 'key' },
    });
    expect(readConfig({ S3_BUCKET: 'shop', S3_REGION: 'eu-west-1' }).imageStorage).toMatchObject({
      region: 'eu-west-1',
      endpoint: null,
      credentials: null,
    });
  });

  it('reports all invalid settings at once', () => {
    expect(listIssues({ PORT: '70000', WORKERS: '0', LOG_LEVEL: 'loud', KEYFRONT_DEMO: 'yes' })).toEqual([
      'The setting PORT must be a whole number from 0 to 65535, not "70000".',
      'The setting WORKERS must be a whole number from 1 to 256, not "0".',
      'The setting KEYFRONT_DEMO must be on or off, not "yes".',
      'The setting LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
    ]);
  });

  it.each([
    [{ PUBLIC_URL: 'ftp://x' }, /^The setting PUBLIC_URL must be a URL such as/],
    [{ CORS_ORIGINS: 'https://a.example, shop' }, /^The setting CORS_ORIGINS .+: "shop" is not an origin\.$/],
    [{ CORS_ORIGINS: 'https://a.example/path' }, /^The setting CORS_ORIGINS/],
    [{ S3_ENDPOINT: 'storage', S3_BUCKET: 'shop' }, /^The setting S3_ENDPOINT must be a URL such as/],
    [
      { S3_ENDPOINT: 'https://storage.example' },
      /^The setting S3_BUCKET is required with the other settings/,
    ],
    [{ S3_BUCKET: 'shop', S3_ACCESS_KEY_ID: 'id' }, /^The setting S3_ACCESS_KEY_ID is only used together/],
    [
      {
        KEYFRONT_SANDBOX: 'on',
        PAYMENT_URL: 'https://pay.example/{reference}',
        PAYMENT_CALLBACK_SECRET: `whsec_${'QUJD'.repeat(8)}`,
      },
      /^The setting PAYMENT_URL must not be set together with KEYFRONT_SANDBOX=on: a sandbox has/,
    ],
    [
      {
        KEYFRONT_SANDBOX: 'on',
        KYC_URL: 'https://id.example/{reference}',
        KYC_CALLBACK_SECRET: `whsec_${'QUJD'.repeat(8)}`,
      },
      /^The setting KYC_URL must not be set together with KEYFRONT_SANDBOX=on: a sandbox has/,
    ],
    [
      { KEYFRONT_SANDBOX: 'on', MARKETPLACE_CONTRACT: `0x${'a'.repeat(40)}` },
      /^The setting MARKETPLACE_CONTRACT must not be set together with KEYFRONT_SANDBOX=on and CHAIN_ID=1/,
    ],
    [{ S3_BUCKET: 'shop', IMAGE_FOLDER: '/srv' }, /^The setting IMAGE_FOLDER must not be set together/],
    [{ DATABASE_OWNER_URL: 'postgres://x@y/z' }, /^The setting DATABASE_OWNER_URL is only used together/],
    [{ DATABASE_REPLICA_URL: 'postgres://x@y/z' }, /^The setting DATABASE_REPLICA_URL is only used together/],
    [
      { DATABASE_URL: 'postgres://x@y/z', JWT_SECRET: 'x'.repeat(32), DATABASE_REPLICA_URL: 'mysql://a/b' },
      /^The setting DATABASE_REPLICA_URL must be one or more URLs of the form/,
    ],
    [{ DATABASE_DIRECT_URL: 'postgres://x@y/z' }, /^The setting DATABASE_DIRECT_URL is only used together/],
    [
      { DATABASE_URL: 'postgres://one,two/shop?target_session_attrs=standby', JWT_SECRET: secret },
      /^The setting DATABASE_URL must have the form .+ must be any, read-write or primary\.$/,
    ],
    [
      { DATABASE_URL: 'postgres://x@y/z' },
      /^The setting JWT_SECRET is required with DATABASE_URL: set it to at least 32 random characters\.$/,
    ],
    [{ JWT_SECRET: 'short' }, /^The setting JWT_SECRET must have at least 32 characters\.$/],
    [{ METRICS_TOKEN: 'short' }, /^The setting METRICS_TOKEN must have at least 16 characters\.$/],
    [{ ADMIN_WALLETS: '0x12' }, /^The setting ADMIN_WALLETS .+: "0x12" is not an Ethereum address\.$/],
    ...['https://shop.example', 'Shop.example', 'shop.example/', 'shöp.example', 'a b', '*'].map(
      (domain): [Record<string, string>, RegExp] => [
        { SIGN_IN_DOMAINS: `store.example,${domain}` },
        /^The setting SIGN_IN_DOMAINS must be a list of domains such as shop\.example: ".*" is not a domain/,
      ],
    ),
    [{ SIGN_IN_DOMAIN: 'https://shop.example' }, /^The setting SIGN_IN_DOMAIN must be a domain such as/],
    [{ RPC_URL: 'open sesame' }, /^The setting RPC_URL must be a URL such as https:\/\/node\.example\.$/],
    [{ SIGN_IN_URI: 'https://shop.example/grün' }, /^The setting SIGN_IN_URI must be a URL such as/],
    [{ REDIS_URL: 'http://x' }, /^The setting REDIS_URL must be a URL such as redis:/],
    [
      { TOKEN_CONTRACT: '0x12' },
      /^The setting TOKEN_CONTRACT must be the address of a contract: "0x12" is not an Ethereum address\.$/,
    ],
    [{ MARKETPLACE_CONTRACT: 'ab'.repeat(20) }, /^The setting MARKETPLACE_CONTRACT must be the address/],
    [{ CHAIN_START_BLOCK: '-1' }, /^The setting CHAIN_START_BLOCK must be a whole number from 0/],
    [{ PORT: '1e3' }, /^The setting PORT/],
    [
      { TRUST_PROXY: 'on' },
      /^The setting TRUST_PROXY must be a list of networks such as 10\.0\.0\.0\/8,fd00::\/8 or loopback: "on" would trust whoever connects, so name the addresses of your proxies instead\.$/,
    ],
    [{ TRUST_PROXY: '1' }, /^The setting TRUST_PROXY .+: "1" would trust whoever connects/],
    [{ TRUST_PROXY: '*' }, /^The setting TRUST_PROXY .+: "\*" would trust whoever connects/],
    [{ TRUST_PROXY: '0.0.0.0/0' }, /^The setting TRUST_PROXY .+: "0\.0\.0\.0\/0" is too large/],
    [{ TRUST_PROXY: '128.0.0.0/1' }, /^The setting TRUST_PROXY .+ is too large/],
    [{ TRUST_PROXY: '::/0' }, /^The setting TRUST_PROXY .+: "::\/0" is too large/],
    [{ TRUST_PROXY: '::/7' }, /^The setting TRUST_PROXY .+: "::\/7" is too large/],
    [{ TRUST_PROXY: '::/64' }, /^The setting TRUST_PROXY .+: "::\/64" is too large/],
    [{ TRUST_PROXY: '::ffff:0:0/96' }, /^The setting TRUST_PROXY .+: write the IPv4 network/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^The setting TRUST_PROXY .+: "10\.0\.0\.0\/33" must end with a prefix/],
    [{ TRUST_PROXY: '10.0.0.0/' }, /^The setting TRUST_PROXY .+ must end with a prefix/],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, /^The setting TRUST_PROXY .+: "10\.0\.0\.0\/8\/8" is not a network/],
    [{ TRUST_PROXY: '10.0.0.0/8, proxy.example' }, /: "proxy\.example" is not a network\.$/],
    [{ TRUST_PROXY: 'off,10.0.0.0/8' }, /: "off" is not a network\.$/],
    [{ LOG_FORMAT: 'xml' }, /^The setting LOG_FORMAT must be one of pretty, json, not "xml"\.$/],
    [{ KYC_CALLBACK_SECRET: providerSecret }, /^The setting KYC_CALLBACK_SECRET is only used together with/],
    [
      { KYC_URL: 'https://x.example/{reference}' },
      /^The setting KYC_CALLBACK_SECRET is required with KYC_URL/,
    ],
    ...['http://x.example/{reference}', 'https://x.example/', '{reference}', '/{reference}'].map(
      (url): [Record<string, string>, RegExp] => [
        { KYC_URL: url, KYC_CALLBACK_SECRET: providerSecret },
        /^The setting KYC_URL must be a URL with https and the placeholder \{reference\}, such as/,
      ],
    ),
    ...['sesame', 'whsec_', `whsec_${'A'.repeat(28)}`, `${providerSecret}!`, `${providerSecret},whsec_x`].map(
      (text): [Record<string, string>, RegExp] => [
        { KYC_URL: 'https://x.example/{reference}', KYC_CALLBACK_SECRET: text },
        /^The setting KYC_CALLBACK_SECRET must be whsec_ and the Base64 of 24 to 64 random bytes\.$/,
      ],
    ),
  ])('rejects %o', (environment, issue) => {
    expect(listIssues(environment)).toEqual([expect.stringMatching(issue)]);
  });

  it('chooses the log format by the output, unless it is set', () => {
    const formats = [true, false].flatMap((isTerminal) =>
      ['', 'json', 'pretty'].map((format) => readConfig({ LOG_FORMAT: format }, { isTerminal }).logFormat),
    );
    expect(formats).toEqual(['pretty', 'json', 'pretty', 'json', 'json', 'pretty']);
  });

  it('never quotes a secret', () => {
    const environment = {
      DATABASE_URL: 'mysql://a:open-sesame@x/y',
      JWT_SECRET: 'open-sesame',
      METRICS_TOKEN: 'sesame',
      KYC_URL: 'https://x.example/{reference}',
      KYC_CALLBACK_SECRET: 'whsec_sesame',
    };
    expect(listIssues(environment)).toHaveLength(4);
    expect(listIssues(environment).join()).not.toContain('sesame');
  });
});

describe('a .env file', () => {
  it('has lower precedence than the environment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'keyfront-env-'));
    try {
      writeFileSync(join(folder, '.env'), 'PATH=/nowhere\nCORS_ORIGINS="https://shop.example" # the shop\n');
      const environment = loadEnvironment(folder);
      expect(environment.CORS_ORIGINS).toBe('https://shop.example');
      expect(environment.PATH).toBe(process.env.PATH);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
