import { describeServer, parseServers } from '@keyfront/postgres';
import { isLoopbackHost } from '../lib/network/loopback.ts';
import type { Config } from './config.ts';

/** Returns a sentence for each connection to another machine that anybody on the way can read. */
export function findPlainConnections(config: Config): string[] {
  if (!config.isProduction) return [];
  const { database, imageStorage } = config;
  const servers = [database?.url, database?.directUrl, database?.ownerUrl, ...config.databaseReplicaUrls]
    .flatMap((url) => (url ? parseServers(url).urls : []))
    .filter(isPlainDatabase)
    .map(describeServer);
  const others = [
    config.redisUrl,
    config.rpcUrl,
    config.tracing?.endpoint,
    imageStorage?.kind === 's3' ? imageStorage.endpoint : null,
  ].flatMap((url) => (url && isPlain(new URL(url)) ? [new URL(url).host] : []));
  return [
    ...[...new Set(servers)].map(
      (server) =>
        `The connection to PostgreSQL at ${server} is not encrypted: add sslmode=verify-full to its URL.`,
    ),
    ...others.map((host) => `The connection to ${host} is not encrypted: use https, or rediss for Redis.`),
  ];
}

const isPlain = ({ protocol, hostname }: URL): boolean =>
  (protocol === 'http:' || protocol === 'redis:') && !isLoopbackHost(hostname);

function isPlainDatabase(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  // Without a host name it is a socket of this machine.
  if (hostname === '' || isLoopbackHost(hostname)) return false;
  const mode = searchParams.get('sslmode') ?? (searchParams.get('ssl') === 'true' ? 'require' : 'disable');
  return mode === 'disable';
}
