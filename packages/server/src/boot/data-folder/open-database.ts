import {
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
  lockDataFolder,
  superviseEmbeddedPostgres,
} from '@keyfront/embedded-postgres';
import { describeAddress } from '@keyfront/postgres';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { queuePoolSize } from '../../database/connection/queue-settings.ts';
import { countConnections } from '../../database/connection/server-pools.ts';
import { StartError } from '../../lib/errors/start-error.ts';
import { readOrCreateSecrets, type Secrets } from './secrets.ts';

/** Encryption keys in hexadecimal, so that they can be sent to a worker process. */
export interface DataKeyTexts {
  readonly key: string;
  readonly previousKey: string | null;
}

/** How serving processes reach the database, and the secrets that belong to it. */
interface DatabaseAccess {
  readonly url: string;
  /** PostgreSQL itself, if `url` leads to a connection pooler. Otherwise null. */
  readonly directUrl: string | null;
  readonly jwtSecret: string;
  /** In hexadecimal; null where medical records are refused. */
  readonly dataKeys: DataKeyTexts | null;
}

/** A database that accepts connections, not yet migrated. */
export interface OpenDatabase extends DatabaseAccess {
  readonly ownerUrl: string;
  /** The folder of the embedded database. Null for a configured one. */
  readonly dataFolder: string | null;
  /** Where the database is, for the announcement. */
  readonly description: string;
  /** The same database with the secrets of a later configuration. */
  accessWith(config: Config): DatabaseAccess;
  close(): Promise<void>;
}

/** The embedded database and its two users. */
export function embeddedAccess({ databaseOwnerPassword, databaseLoginPassword }: Secrets) {
  return {
    database: 'keyfront',
    owner: { name: 'keyfront_owner', password: databaseOwnerPassword },
    login: { name: 'keyfront_login', password: databaseLoginPassword },
  };
}
/** The lock of the data folder. */
export const lockFileName = 'keyfront.lock';

/** Opens the configured database, or locks the data folder and starts the embedded one. */
export async function openDatabase(
  config: Config,
  logger: Logger,
  onProgress: (message: string) => void,
): Promise<OpenDatabase> {
  if (config.database !== null) {
    return {
      ...accessConfigured(config),
      ownerUrl: config.database.ownerUrl,
      accessWith: accessConfigured,
      dataFolder: null,
      description: `PostgreSQL at ${describeAddress(config.database.url)}`,
      close: async () => undefined,
    };
  }
  try {
    return await openEmbedded(config, logger, onProgress);
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? toStartError(error) : error;
  }
}

function accessConfigured(config: Config): DatabaseAccess {
  const { database, jwtSecret } = config;
  if (!database || !jwtSecret) throw new StartError('DATABASE_URL and JWT_SECRET must be set.');
  // Without the owner: serving processes need not know its password.
  const { url, directUrl } = database;
  return { url, directUrl, jwtSecret, dataKeys: chooseDataKeys(config, null) };
}

async function openEmbedded(
  config: Config,
  logger: Logger,
  onProgress: (message: string) => void,
): Promise<OpenDatabase> {
  const { dataFolder, databasePoolSize, workers } = config;
  // Also protects the secrets, which are read before the database starts.
  const lock = await lockDataFolder(dataFolder, { fileName: lockFileName });
  try {
    const secrets = await readOrCreateSecrets(dataFolder);
    const postgres = await superviseEmbeddedPostgres({
      dataFolder,
      ...embeddedAccess(secrets),
      lock,
      maxConnections: 20 + workers * (countConnections(databasePoolSize) + 2 + queuePoolSize),
      onProgress,
      onFailure: (message) => logger.error(message),
      onRestart: () => logger.info('PostgreSQL is running again'),
    });
    const accessWith = (latest: Config): DatabaseAccess => ({
      url: postgres.loginUrl,
      directUrl: null,
      jwtSecret: latest.jwtSecret ?? secrets.jwtSecret,
      dataKeys: chooseDataKeys(latest, secrets.dataEncryptionKey),
    });
    return {
      ...accessWith(config),
      ownerUrl: postgres.ownerUrl,
      accessWith,
      dataFolder,
      description: `embedded PostgreSQL in ${dataFolder}`,
      close: async () => {
        await postgres.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A key that is set replaces the generated one, which then decrypts what it has encrypted. */
function chooseDataKeys(
  { dataEncryptionKey, previousDataEncryptionKey }: Config,
  generated: string | null,
): DataKeyTexts | null {
  const key = dataEncryptionKey ?? generated;
  return key === null ? null : { key, previousKey: previousDataEncryptionKey ?? generated };
}

const ownServer = 'set DATABASE_URL to use your own PostgreSQL server';
const otherFolder = 'set KEYFRONT_DATA to another folder';

/** What the operator of this service can do about each error. The message itself says where to look further. */
const remedies: Record<EmbeddedPostgresErrorCode, string | null> = {
  UNSUPPORTED_PLATFORM: ownServer,
  BINARIES_NOT_INSTALLED: `run npm install with optional dependencies, or ${ownServer}`,
  BINARIES_NOT_RUNNABLE: ownServer,
  LIBRARY_LINKS_NOT_WRITABLE: `start once as the owner of that folder, or ${ownServer}`,
  NO_USER_FOR_ROOT: `start as an ordinary user, or ${ownServer}`,
  FOLDERS_NOT_REACHABLE:
    'start as an ordinary user, move the project and KEYFRONT_DATA to folders that every user may enter, ' +
    `or ${ownServer}`,
  DATA_FOLDER_IN_USE: `stop that process, or ${otherFolder}`,
  DATA_FOLDER_NOT_USABLE: `make the folder writable, or ${otherFolder}`,
  CLUSTER_OF_OTHER_USER: `start as that user, or ${otherFolder}`,
  NOT_A_CLUSTER: `move them away, or ${otherFolder}`,
  OTHER_MAJOR_VERSION: `upgrade the cluster with pg_upgrade, or ${otherFolder}`,
  CLUSTER_NOT_CREATED: null,
  WRONG_PASSWORD: `restore the secrets.json that belongs to the cluster, or ${otherFolder}`,
  STALE_SERVER_RUNNING: 'end that process and start again',
  SERVER_NOT_STARTED: null,
  SERVER_NOT_READY: 'start again',
  SERVER_NOT_RUNNING: 'wait until the service has started, then try again',
};

/** Adds what the operator can do to an error of the embedded database. */
export function toStartError(error: EmbeddedPostgresError): StartError {
  const remedy = remedies[error.code];
  return new StartError(remedy === null ? `${error.message}.` : `${error.message}: ${remedy}.`, {
    cause: error,
  });
}
