import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Client, type Connection, type Submittable } from 'pg';

export interface BaseBackupOptions {
  /** Connects as a superuser. */
  ownerUrl: string;
  /** Called once, before the first data, with the approximate size in bytes. */
  onSize?: (bytes: number) => void;
}

/** The kinds of messages that carry the backup, by their first byte. */
const kinds = { data: 'd'.charCodeAt(0), archive: 'n'.charCodeAt(0) };
const highWaterMark = 1024 * 1024;

/**
 * Reads a base backup of the whole cluster from a running server: a tar archive of its files and of the WAL that makes
 * them consistent. The server verifies the checksums of all pages. The stream fails if the backup does.
 */
export function readBaseBackup({ ownerUrl, onSize = () => {} }: BaseBackupOptions): Readable {
  const url = new URL(ownerUrl);
  url.searchParams.set('replication', 'true');
  const client = new Client({ connectionString: url.href });
  let query: BaseBackupQuery | null = null;
  const stream = new Readable({
    highWaterMark,
    construct(callback) {
      client.on('error', (error) => stream.destroy(error));
      begin().then(() => callback(), callback);
    },
    read() {
      query?.resume();
    },
    destroy(error, callback) {
      // Ends the backup in the server as well, and drops its slot.
      client.end().then(
        () => callback(error),
        () => callback(error),
      );
    },
  });
  const begin = async (): Promise<void> => {
    await client.connect();
    // Keeps the WAL since now, however long the backup takes. The slot ends with the connection.
    const slot = `backup_${randomBytes(8).toString('hex')}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`);
    query = new BaseBackupQuery({
      onSize,
      push: (chunk) => stream.push(chunk),
      onEnd: (error) => (error ? stream.destroy(error) : stream.push(null)),
    });
    client.query(query);
  };
  return stream;
}

interface BackupHandlers {
  readonly onSize: (bytes: number) => void;
  /** Returns whether more may follow at once. */
  readonly push: (chunk: Buffer) => boolean;
  readonly onEnd: (error: Error | null) => void;
}

/** The command BASE_BACKUP as the driver sees it. `pg` has no public interface for the messages of its results. */
class BaseBackupQuery implements Submittable {
  readonly #handlers: BackupHandlers;
  #connection: Connection | null = null;
  #error: Error | null = null;
  #resultCount = 0;
  #archiveCount = 0;

  constructor(handlers: BackupHandlers) {
    this.#handlers = handlers;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(
      "BASE_BACKUP (LABEL 'embedded-postgres', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'no')",
    );
  }

  resume(): void {
    this.#connection?.stream.resume();
  }

  handleRowDescription(): void {
    this.#resultCount += 1;
  }

  /** The second result lists the tablespaces: id, location, and size in kilobytes. */
  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#resultCount === 2) {
      this.#handlers.onSize(Number(fields[2] ?? 0) * 1024);
    }
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] === kinds.archive) {
      this.#archiveCount += 1;
      if (this.#archiveCount > 1) {
        this.#error ??= new Error('A cluster with tablespaces cannot be backed up');
      }
    }
    // A copy, because the driver overwrites its buffer.
    if (chunk[0] === kinds.data && !this.#error && !this.#handlers.push(Buffer.from(chunk.subarray(1)))) {
      this.#connection?.stream.pause();
    }
  }

  handleError(error: Error): void {
    this.#error ??= error;
    this.#handlers.onEnd(this.#error);
  }

  handleReadyForQuery(): void {
    this.#handlers.onEnd(this.#error);
  }

  handleCommandComplete(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
