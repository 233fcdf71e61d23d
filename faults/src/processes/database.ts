import { type EmbeddedPostgres, startEmbeddedPostgres } from '@keyfront/embedded-postgres';

export const databaseNames = {
  database: 'keyfront',
  owner: { name: 'keyfront_owner', password: 'owner of the trial' },
  login: { name: 'keyfront_login', password: 'login of the trial' },
};

/** Starts a PostgreSQL server that does not belong to the service. */
export function startDatabase(dataFolder: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataFolder, ...databaseNames, maxConnections: 200 });
}

/** Returns the settings of a service on such a server. */
export function serviceSettings(loginUrl: string, ownerUrl: string): Record<string, string> {
  return {
    DATABASE_URL: loginUrl,
    DATABASE_OWNER_URL: ownerUrl,
    JWT_SECRET: 'a secret of the fault trials, long enough',
  };
}
