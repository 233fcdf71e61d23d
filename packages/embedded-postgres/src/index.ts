export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { processIdentity } from './process-identity.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './start-embedded-postgres.ts';
