import { expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { findPlainConnections } from './plain-connections.ts';

const settings = {
  NODE_ENV: 'production',
  JWT_SECRET: 'thirty-two characters or even more',
  DATABASE_URL: 'postgres://shop:password@db1.example,db2.example:5433/shop',
  DATABASE_REPLICA_URL: 'postgres://shop:password@db2.example:5433/shop',
  REDIS_URL: 'redis://:password@cache.example:6379',
  RPC_URL: 'http://node.example/token',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318',
  S3_BUCKET: 'images',
  S3_ENDPOINT: 'http://store.example',
};
const find = (change: Record<string, string>) => findPlainConnections(readConfig({ ...settings, ...change }));

it('names each connection to another machine that is not encrypted, without passwords', () => {
  const database = (server: string) =>
    `The connection to PostgreSQL at ${server} is not encrypted: add sslmode=verify-full to its URL.`;
  const other = (host: string) =>
    `The connection to ${host} is not encrypted: use https, or rediss for Redis.`;
  expect(find({})).toEqual([
    database('db1.example'),
    database('db2.example:5433'),
    ...['cache.example:6379', 'node.example', 'collector.example:4318', 'store.example'].map(other),
  ]);
});

it('accepts encrypted connections, those of this machine, and development', () => {
  const encrypted = {
    DATABASE_URL: 'postgres://shop:password@db1.example,db2.example/shop?sslmode=verify-full',
    DATABASE_REPLICA_URL: 'postgres://shop:password@db2.example/shop?sslmode=require',
    REDIS_URL: 'rediss://cache.example',
    RPC_URL: 'https://node.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
    S3_ENDPOINT: 'https://store.example',
  };
  expect(find(encrypted)).toEqual([]);
  expect(
    find({ ...encrypted, DATABASE_URL: 'postgres://shop@db1.example/shop?sslmode=disable' }),
  ).toHaveLength(1);
  const local = {
    DATABASE_URL: 'postgres://shop@127.0.0.1/shop',
    DATABASE_REPLICA_URL: 'postgres:///shop?host=/run/postgresql',
    REDIS_URL: 'redis://localhost',
    RPC_URL: 'http://[::1]:8545',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    S3_ENDPOINT: 'http://localhost:9000',
  };
  expect(find(local)).toEqual([]);
  expect(find({ NODE_ENV: 'development' })).toEqual([]);
});
