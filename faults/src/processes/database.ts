import { type EmbeddedPostgres, startEmbeddedPostgres } from '@keyfront/embedded-postgres';

const databaseNames = {
  database: 'keyfront',
  owner: { name: 'keyfront_owner', password: 'owner of the trial' },
  login: { name: 'keyfront_login', password: 'login of the trial' },
};

/** Starts a PostgreSQL server that does not belong to the service, on any free port unless one is given. */
export function startDatabase(dataFolder: string, port?: number): Promise<EmbeddedPostgres> {
  const options = { dataFolder, ...databaseNames, maxConnections: 200 };
  return startEmbeddedPostgres(port === undefined ? options : { ...options, port });
}

/** Returns the settings of a service on such a server. */
export function serviceSettings(loginUrl: string, ownerUrl: string): Record<string, string> {
  return {
    DATABASE_URL: loginUrl,
    DATABASE_OWNER_URL: ownerUrl,
    JWT_SECRET: 'a secret of the fault trials, long enough',
  };
}
