export interface ServerSettings {
  port: number;
  maxConnections: number;
  durable: boolean;
}

/** Builds the command line of the server. Its settings override the configuration files of the cluster. */
export function serverArguments(cluster: string, settings: ServerSettings): string[] {
  const values: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(settings.port),
    unix_socket_directories: '',
    max_connections: String(settings.maxConnections),
    password_encryption: 'scram-sha-256',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_destination: 'stderr',
    logging_collector: 'off',
    // The details of an error quote rows, and a log must not contain data.
    log_error_verbosity: 'terse',
    ...(settings.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
