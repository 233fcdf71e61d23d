export { type BaseBackupOptions, readBaseBackup } from './base-backup.ts';
export {
  type DataFolderLock,
  type DataFolderLockOptions,
  lockDataFolder,
} from './data-folder-lock.ts';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded-postgres-error.ts';
export { findFreePort } from './find-free-port.ts';
export { findRunningServer, type RunningServer } from './find-running-server.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  type RoleCredentials,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
export {
  type SupervisedPostgres,
  type SupervisionOptions,
  superviseEmbeddedPostgres,
} from './supervise-embedded-postgres.ts';
export {
  encodeTarHeader,
  readTar,
  type TarEntry,
  TarError,
  type TarMember,
  tarEnd,
  tarPadding,
} from './tar.ts';
