export interface ServerSettings {
  port: number;
  maxConnections: number;
  durable: boolean;
}

/** The command line of a server; what stands on it wins over the configuration files of the cluster. */
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
    // The details of an error quote the rows of the tables, which have no place in a log.
    log_error_verbosity: 'terse',
    ...(settings.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', cluster, ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}
