import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A statement as it went over the wire. Values are text; null stands for NULL. */
export interface RecordedStatement {
  readonly text: string;
  readonly values: readonly (RecordedValue | null)[];
}

export interface RecordedValue {
  readonly bytes: Buffer;
  /** Whether the driver sent the bytes themselves, and not their text. */
  readonly isBinary: boolean;
}

export interface StatementRecorder {
  /** The same database by way of the recorder. */
  readonly url: string;
  /** What was executed since the last call, in order. */
  take(): RecordedStatement[];
  close(): Promise<void>;
}

/**
 * Stands between the service and the database and notes what is executed, so that a limit is measured with the very
 * statements of the service and not with a copy of them that grows old.
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

/** Reads what a driver says in PostgreSQL's extended protocol: Parse names a text, Bind names the values. */
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
      // The first message has no letter in front.
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

/** The text of a statement with its values in it, or what stands for them. */
export function writeOut(
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
