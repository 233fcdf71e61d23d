import { expect, it } from 'vitest';
import { findMisspeltSettings } from './misspelt-settings.ts';
import { settings } from './settings.ts';

const find = (...names: string[]) =>
  findMisspeltSettings(Object.fromEntries(names.map((name) => [name, 'open sesame'])));

it.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URLS', 'DATABASE_REPLICA_URL'],
  ['JWT_SECERT', 'JWT_SECRET'],
  ['JWTSECRET', 'JWT_SECRET'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['OTEL_EXPORTER_OLTP_ENDPOINTS', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['database_url', 'DATABASE_URL'],
  ['KEYFRONT_DATABASE_URL', 'DATABASE_URL'],
  ['KEYFRONT_DATE', 'KEYFRONT_DATA'],
])('takes %s for a misspelt %s', (name, setting) => {
  expect(find('PATH', name)).toEqual([
    `The environment variable ${name} is no setting of Keyfront: did you mean ${setting}?`,
  ]);
});

it('names what begins like a setting of the database and is none', () => {
  expect(find('DATABASE_PASSWORD')).toEqual([
    'The environment variable DATABASE_PASSWORD is no setting of Keyfront: remove it, or see the list of settings.',
  ]);
});

it('says nothing about settings, and about the variables of shells, schedulers and other programs', () => {
  expect(find(...Object.keys(settings))).toEqual([]);
  const ordinary = [
    ...[
      'PATH',
      'HOME',
      'HOSTNAME',
      'HOSTS',
      'POST',
      'PORTS',
      'SHELL',
      'PWD',
      'LANG',
      'TERM',
      'USER',
      'LOGNAME',
    ],
    ...[
      'NODE_VERSION',
      'NODE_OPTIONS',
      'NODE_PATH',
      'YARN_VERSION',
      'npm_config_cache',
      'npm_package_version',
    ],
    ...['http_proxy', 'HTTPS_PROXY', 'no_proxy', 'SSL_CERT_FILE', 'TZ', 'INVOCATION_ID', 'JOURNAL_STREAM'],
    ...[
      'AWS_REGION',
      'AWS_ACCESS_KEY_ID',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ENDPOINT_URL',
      'API_URL',
      'BOT_SECRET',
    ],
    ...['PGHOST', 'POSTGRES_PASSWORD', 'REDIS_HOST', 'OTEL_TRACES_SAMPLER', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
    // Variables of the command line.
    ...['KEYFRONT_URL', 'KEYFRONT_API_KEY', 'KEYFRONT_SECRET_KEY', 'KEYFRONT_TOKEN', 'KEYFRONT_PROFILE'],
    ...['KEYFRONT_CONFIG', 'KEYFRONT_WALLET'],
    // What Kubernetes sets for services with the names `keyfront`, `database` and `redis`.
    ...['KEYFRONT_SERVICE_HOST', 'KEYFRONT_SERVICE_PORT', 'KEYFRONT_SERVICE_PORT_HTTP', 'KEYFRONT_PORT'],
    ...['DATABASE_SERVICE_HOST', 'DATABASE_SERVICE_PORT', 'DATABASE_PORT', 'DATABASE_PORT_5432_TCP'],
    ...['DATABASE_PORT_5432_TCP_ADDR', 'DATABASE_RW_SERVICE_PORT_POSTGRES', 'REDIS_PORT_6379_TCP_PROTO'],
  ];
  expect(find(...ordinary)).toEqual([]);
});
