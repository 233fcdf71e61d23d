/** Why the server cannot start. The README lists the codes with what to do about each. */
export type EmbeddedPostgresErrorCode =
  | 'UNSUPPORTED_PLATFORM'
  | 'BINARIES_NOT_INSTALLED'
  | 'BINARIES_NOT_RUNNABLE'
  | 'LIBRARY_LINKS_NOT_WRITABLE'
  | 'NO_USER_FOR_ROOT'
  | 'FOLDERS_NOT_REACHABLE'
  | 'DATA_FOLDER_IN_USE'
  | 'DATA_FOLDER_NOT_USABLE'
  | 'CLUSTER_OF_OTHER_USER'
  | 'NOT_A_CLUSTER'
  | 'OTHER_MAJOR_VERSION'
  | 'CLUSTER_NOT_CREATED'
  | 'WRONG_PASSWORD'
  | 'STALE_SERVER_RUNNING'
  | 'SERVER_NOT_STARTED'
  | 'SERVER_NOT_READY'
  | 'SERVER_NOT_RUNNING';

/**
 * Thrown when the server cannot start for a reason that an operator can act on. The message is one sentence that names
 * the problem; which remedy applies depends on the program around it, so that the message does not name one.
 */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
