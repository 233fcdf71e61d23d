import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadEnvironment, readConfig } from './config.ts';

const secret = 'thirty-two characters or even more';

const complaints = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
};

describe('the configuration', () => {
  it('needs no setting', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      workers: 1,
      publicUrl: null,
      stagingUrl: null,
      database: null,
      databasePoolSize: 10,
      dataFolder: resolve('.keyfront'),
      demo: true,
      jwtSecret: null,
      previousJwtSecret: null,
      adminWallets: [],
      chainId: 1,
      signInDomain: null,
      signInUri: null,
      rpcUrl: null,
      tokenContract: null,
      marketplaceContract: null,
      chainStartBlock: 0,
      rateLimit: true,
      redisUrl: null,
      corsOrigins: [],
      trustProxy: false,
      metricsToken: null,
      logLevel: 'info',
    });
  });

  it('takes an empty setting for an absent one', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', KEYFRONT_DEMO: '' })).toEqual(readConfig({}));
  });

  it('turns the demo off for a database that somebody brought', () => {
    const own = { DATABASE_URL: 'postgres://a:b@db.example/shop', JWT_SECRET: secret };
    expect(readConfig(own)).toMatchObject({
      demo: false,
      database: { url: own.DATABASE_URL, ownerUrl: own.DATABASE_URL },
    });
    expect(readConfig({ ...own, KEYFRONT_DEMO: 'on' }).demo).toBe(true);
    expect(readConfig({ KEYFRONT_DEMO: 'OFF' }).demo).toBe(false);
  });

  it('adds the version prefix to an address that lacks it', () => {
    for (const url of [
      'https://api.shop.example',
      'https://api.shop.example/',
      'https://api.shop.example/api/v1/',
    ]) {
      expect(readConfig({ PUBLIC_URL: url }).publicUrl).toBe('https://api.shop.example/api/v1');
    }
  });

  it('reads the addresses of contracts in any case', () => {
    const given = { TOKEN_CONTRACT: `0x${'Ab'.repeat(20)}`, MARKETPLACE_CONTRACT: `0x${'CD'.repeat(20)}` };
    expect(readConfig({ ...given, CHAIN_START_BLOCK: '21400000' })).toMatchObject({
      tokenContract: `0x${'ab'.repeat(20)}`,
      marketplaceContract: `0x${'cd'.repeat(20)}`,
      chainStartBlock: 21_400_000,
    });
  });

  it('complains about everything at once', () => {
    expect(complaints({ PORT: '70000', WORKERS: '0', LOG_LEVEL: 'loud', KEYFRONT_DEMO: 'yes' })).toEqual([
      'The setting PORT must be a whole number from 0 to 65535, not "70000".',
      'The setting WORKERS must be a whole number from 1 to 256, not "0".',
      'The setting KEYFRONT_DEMO must be on or off, not "yes".',
      'The setting LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud".',
    ]);
  });

  it.each([
    [{ PUBLIC_URL: 'ftp://x' }, /^The setting PUBLIC_URL must be an address such as/],
    [{ CORS_ORIGINS: 'https://a.example, shop' }, /^The setting CORS_ORIGINS .+ "shop" is none\.$/],
    [{ CORS_ORIGINS: 'https://a.example/path' }, /^The setting CORS_ORIGINS/],
    [{ DATABASE_OWNER_URL: 'postgres://x@y/z' }, /^The setting DATABASE_OWNER_URL is only used together/],
    [{ DATABASE_URL: 'postgres://x@y/z' }, /^The setting JWT_SECRET must be set when DATABASE_URL is/],
    [{ JWT_SECRET: 'short' }, /^The setting JWT_SECRET must have 32 characters or more\.$/],
    [{ METRICS_TOKEN: 'short' }, /^The setting METRICS_TOKEN must have 16 characters or more\.$/],
    [{ ADMIN_WALLETS: '0x12' }, /^The setting ADMIN_WALLETS .+ "0x12" is none\.$/],
    [{ SIGN_IN_DOMAIN: 'https://shop.example' }, /^The setting SIGN_IN_DOMAIN must be a domain such as/],
    [
      { RPC_URL: 'open sesame' },
      /^The setting RPC_URL must be an address such as https:\/\/node\.example\.$/,
    ],
    [{ SIGN_IN_URI: 'https://shop.example/grün' }, /^The setting SIGN_IN_URI must be an address such as/],
    [{ REDIS_URL: 'http://x' }, /^The setting REDIS_URL must be an address such as redis:/],
    [
      { TOKEN_CONTRACT: '0x12' },
      /^The setting TOKEN_CONTRACT must be the address of a contract such as 0x…, not "0x12"\.$/,
    ],
    [{ MARKETPLACE_CONTRACT: 'ab'.repeat(20) }, /^The setting MARKETPLACE_CONTRACT must be the address/],
    [{ CHAIN_START_BLOCK: '-1' }, /^The setting CHAIN_START_BLOCK must be a whole number from 0/],
    [{ PORT: '1e3' }, /^The setting PORT/],
  ])('refuses %o', (environment, sentence) => {
    expect(complaints(environment)).toEqual([expect.stringMatching(sentence)]);
  });

  it('never quotes a secret', () => {
    const environment = {
      DATABASE_URL: 'mysql://a:open-sesame@x/y',
      JWT_SECRET: 'open-sesame',
      METRICS_TOKEN: 'sesame',
    };
    expect(complaints(environment)).toHaveLength(3);
    expect(complaints(environment).join()).not.toContain('sesame');
  });
});

describe('a .env file', () => {
  it('lies beneath the environment', () => {
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
