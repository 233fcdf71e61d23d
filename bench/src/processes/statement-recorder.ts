import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A statement as it was sent to the database. A null value is SQL NULL. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly (RecordedValue | null)[];
}

export interface RecordedValue {
  readonly bytes: Buffer;
  /** Whether the driver used the binary format instead of text. */
  readonly isBinary: boolean;
}

export interface StatementRecorder {
  /** The URL of the database through the recorder. */
  readonly url: string;
  /** Returns the statements executed since the last call, in order. */
  take(): RecordedStatement[];
  close(): Promise<void>;
}

/**
 * Starts a proxy between the service and the database that records executed statements. Limits replay the recorded
 * statements, so they never run an outdated copy.
 */
export async function startStatementRecorder(databaseUrl: string): Promise<StatementRecorder> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let recorded: RecordedStatement[] = [];
  const server = createServer((service) => {
    const database = connect(Number(target.port), target.hostname);
    const reader = new MessageReader((statement) => recorded.push(statement));
    for (const socket of [service, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        service.destroy();
        database.destroy();
      });
    }
    service.on('data', (chunk) => {
      reader.read(chunk);
      database.write(chunk);
    });
    database.on('data', (chunk) => service.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.toString(),
    take: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Parses the client messages of PostgreSQL's extended query protocol: Parse has the text, Bind the values. */
class MessageReader {
  readonly #onStatement: (statement: RecordedStatement) => void;
  readonly #texts = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  #hasStarted = false;

  constructor(onStatement: (statement: RecordedStatement) => void) {
    this.#onStatement = onStatement;
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      // The startup message has no type byte.
      const letterBytes = this.#hasStarted ? 1 : 0;
      if (this.#rest.length < letterBytes + 4) return;
      const end = letterBytes + this.#rest.readInt32BE(letterBytes);
      if (this.#rest.length < end) return;
      if (this.#hasStarted)
        this.#readMessage(this.#rest.toString('latin1', 0, 1), this.#rest.subarray(5, end));
      this.#hasStarted = true;
      this.#rest = this.#rest.subarray(end);
    }
  }

  #readMessage(letter: string, content: Buffer): void {
    const fields = new FieldReader(content);
    if (letter === 'P') this.#texts.set(fields.text(), fields.text());
    if (letter === 'B') {
      fields.text();
      const text = this.#texts.get(fields.text());
      const formats = Array.from({ length: fields.int16() }, () => fields.int16());
      const values = Array.from({ length: fields.int16() }, (_, index) => {
        const bytes = fields.bytes();
        return bytes && { bytes, isBinary: (formats.length === 1 ? formats[0] : formats[index]) === 1 };
      });
      if (text !== undefined) this.#onStatement({ text, values });
    }
  }
}

class FieldReader {
  readonly #content: Buffer;
  #at = 0;

  constructor(content: Buffer) {
    this.#content = content;
  }

  text(): string {
    const end = this.#content.indexOf(0, this.#at);
    const text = this.#content.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  int16(): number {
    this.#at += 2;
    return this.#content.readInt16BE(this.#at - 2);
  }

  bytes(): Buffer | null {
    const length = this.#content.readInt32BE(this.#at);
    this.#at += 4;
    if (length < 0) return null;
    this.#at += length;
    return this.#content.subarray(this.#at - length, this.#at);
  }
}

/** Returns the text of a statement with its parameters replaced by literals or by the given expressions. */
export function inlineValues(
  { text, values }: RecordedStatement,
  expressionFor: (value: string) => string | undefined = () => undefined,
): string {
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const value = values[Number(number) - 1];
    if (!value) return 'NULL';
    const plain = value.isBinary ? `\\x${value.bytes.toString('hex')}` : value.bytes.toString('utf8');
    return expressionFor(plain) ?? `'${plain.replaceAll("'", "''")}'${value.isBinary ? '::bytea' : ''}`;
  });
}
