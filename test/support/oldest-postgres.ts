/** Where Debian installs the programs of PostgreSQL 15, the oldest version that the service supports. */
export const oldestPostgres = '/usr/lib/postgresql/15/bin';
