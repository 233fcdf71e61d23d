/** Where files are. All instances of the service must see the same ones. */
export interface FileStore {
  /** Stores a file. It has its name only when it is complete. */
  put(name: string, content: Buffer, type: string): Promise<void>;
  /** Reads a file. Null if there is none with this name. */
  find(name: string): Promise<Buffer | null>;
  /** Deletes a file, if there is one with this name, and what is left of attempts to write it. */
  remove(name: string): Promise<void>;
}

/** The store did not respond, or refused. The cause is for the log. */
export class FileStoreUnavailable extends Error {}
