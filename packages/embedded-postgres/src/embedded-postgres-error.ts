/** The embedded PostgreSQL cannot start. The message tells an operator what to do. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}
