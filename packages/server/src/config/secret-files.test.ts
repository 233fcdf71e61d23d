import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { findMisspeltSettings } from './misspelt-settings.ts';
import { settings } from './settings.ts';

const callbackSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const database = 'postgres://user:password@db.example/shop';

/** A valid value of every secret setting. */
const secrets: Record<string, string> = {
  DATABASE_URL: database,
  DATABASE_DIRECT_URL: `${database}-direct`,
  DATABASE_REPLICA_URL: `${database}-replica`,
  DATABASE_OWNER_URL: `${database}-owner`,
  S3_ACCESS_KEY_ID: 'access-key',
  S3_SECRET_ACCESS_KEY: 'secret-access-key',
  JWT_SECRET: 'thirty-two characters or even more',
  JWT_SECRET_PREVIOUS: 'another thirty-two characters or more',
  DATA_ENCRYPTION_KEY: 'aa'.repeat(32),
  DATA_ENCRYPTION_KEY_PREVIOUS: 'bb'.repeat(32),
  RPC_URL: 'https://node.example/token',
  KYC_CALLBACK_SECRET: callbackSecret,
  PAYMENT_CALLBACK_SECRET: callbackSecret,
  REDIS_URL: 'redis://:password@cache.example:6379',
  METRICS_TOKEN: 'sixteen characters',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=token',
};
const others = {
  S3_BUCKET: 'images',
  KYC_URL: 'https://identity.example/?reference={reference}',
  PAYMENT_URL: 'https://pay.example/?reference={reference}',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyfront-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('secrets in files', () => {
  it('every secret setting can be in a file, with a line break at its end', () => {
    const names = Object.entries(settings).flatMap(([name, { isSecret }]) => (isSecret ? name : []));
    expect(Object.keys(secrets).sort()).toEqual(names.sort());
    const files = Object.fromEntries(
      Object.entries(secrets).map(([name, value]) => [`${name}_FILE`, write(name, `${value}\n`)]),
    );
    expect(readConfig({ ...others, ...files })).toEqual(readConfig({ ...others, ...secrets }));
    expect(findMisspeltSettings(files)).toEqual([]);
  });

  it.each(Object.keys(secrets))(
    'refuses a file of %s that cannot be read, is empty, or is one too many',
    (name) => {
      const missing = join(folder, 'missing');
      expect(() => readConfig({ [`${name}_FILE`]: missing })).toThrow(
        `The setting ${name} cannot be read from the file ${missing} of ${name}_FILE (ENOENT).`,
      );
      const empty = write('empty', ' \n');
      expect(() => readConfig({ [`${name}_FILE`]: empty })).toThrow(
        `The setting ${name} cannot be read: the file ${empty} of ${name}_FILE is empty.`,
      );
      const value = secrets[name] ?? '';
      expect(() => readConfig({ [name]: value, [`${name}_FILE`]: write('twice', value) })).toThrow(
        `The setting ${name} must not be set together with ${name}_FILE: remove one of them.`,
      );
    },
  );

  it('checks the content like a setting, without quoting it', () => {
    const path = write('short', 'too short');
    expect(() => readConfig({ JWT_SECRET_FILE: path })).toThrow(
      /^The setting JWT_SECRET must have at least 32 characters\.$/,
    );
  });

  it('warns of a misspelt variable for a file', () => {
    expect(findMisspeltSettings({ JWT_SECRT_FILE: '/x' })).toEqual([
      'The environment variable JWT_SECRT_FILE is no setting of Keyfront: did you mean JWT_SECRET_FILE?',
    ]);
  });
});
