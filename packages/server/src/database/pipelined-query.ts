import type { Duplex } from 'node:stream';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { type Column, type RowReader, rowReaderFor } from './row-reader.ts';
import type { Statement } from './statement.ts';

/** A statement without rows that goes before another one in the same flight. The connection has prepared it before. */
export interface LeadingStatement {
  readonly name: string;
  readonly values: string[];
}

interface Flight<Row> {
  readonly leadingStatements: readonly LeadingStatement[];
  readonly statement: Statement<Row>;
  readonly values: unknown[];
}

interface Result<Row> {
  readonly rows: Row[];
  /** What PostgreSQL says it did: `SELECT 1`, `COMMIT`. */
  readonly command: string;
}

/**
 * One statement behind its leadingStatements, in one round trip.
 *
 * Everything between two Sync messages of PostgreSQL's extended protocol stands or falls together: once a message has
 * failed, the server skips the rest. So the scope may be set just before the statement, in the same flight.
 */
export async function execute<Row>(
  client: pg.ClientBase,
  statement: Statement<Row>,
  values: unknown[],
  leadingStatements: readonly LeadingStatement[] = [],
): Promise<Row[]> {
  return (await send(client, { leadingStatements, statement, values })).rows;
}

const commit: Flight<never> = {
  leadingStatements: [],
  statement: { name: 'transaction.commit', text: 'COMMIT' },
  values: [],
};

/** Ends a transaction. False when PostgreSQL rolled it back instead, since something in it had failed before. */
export async function commitTransaction(client: pg.ClientBase): Promise<boolean> {
  return (await send(client, commit)).command === 'COMMIT';
}

function send<Row>(client: pg.ClientBase, flight: Flight<Row>): Promise<Result<Row>> {
  return new Promise((resolve, reject) => {
    client.query(new PipelinedQuery(flight, (error, result) => (result ? resolve(result) : reject(error))));
  });
}

type Callback<Row> = (error: Error | null, result?: Result<Row>) => void;

/** The protocol's side of pg, which its published types leave out. */
interface Connection extends pg.Connection {
  /** Texts by name: of statements that are known to be prepared, and of those that are on their way. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
}
interface PgQuery<Row> {
  name: string;
  readonly callback: Callback<Row>;
}
interface PgQueryConstructor {
  new <Row>(text: string, values: undefined, callback: Callback<Row>): PgQuery<Row>;
}
// Nothing but a query of pg's own may be sent while the answer to another is still to come.
const PgQuery = pg.Query as unknown as PgQueryConstructor;
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

const executing = serialize.execute();
const describing = serialize.describe({ type: 'P' });
const sync = serialize.sync();

/** How rows of prepared statements are read, which for each connection never changes once it has prepared them. */
const readersOf = new WeakMap<Connection, Map<string, RowReader<unknown>>>();

/** How far a flight has come. */
interface State<Row> extends Flight<Row> {
  readonly rows: Row[];
  /** Of the connection, for a statement that has a name. */
  readers: Map<string, RowReader<unknown>> | null;
  read: RowReader<Row> | null;
  command: string;
  fault: Error | null;
}

/**
 * A query of pg with its own side of the protocol: all messages are one piece of memory, and a statement whose columns
 * are known is not asked for them again. pg does both anew each time.
 */
class PipelinedQuery<Row> extends PgQuery<Row> {
  /** Only declared here: V8 is slow to define a field of an object that another class has made. */
  declare private readonly state: State<Row>;

  constructor({ leadingStatements, statement, values }: Flight<Row>, callback: Callback<Row>) {
    // As a text: of an object pg makes a copy, property by property.
    super(statement.text, undefined, callback);
    this.name = statement.name;
    this.state = {
      leadingStatements,
      statement,
      values,
      rows: [],
      readers: null,
      read: null,
      command: '',
      fault: null,
    };
  }

  /** Gives back what keeps it from being sent. */
  submit(given: pg.Connection): Error | null {
    const connection = given as Connection;
    const { leadingStatements, statement, values } = this.state;
    const { name, text } = statement;
    const { parsedStatements, submittedNamedStatements } = connection;
    const prepared = name === '' ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
    if (prepared !== undefined && prepared !== text) return new Error(`Two statements are called ${name}`);
    this.#findReader(connection);
    const messages: Buffer[] = [];
    for (const leadingStatement of leadingStatements) {
      messages.push(
        serialize.bind({ statement: leadingStatement.name, values: leadingStatement.values }),
        executing,
      );
    }
    if (prepared === undefined) messages.push(serialize.parse({ name, text }));
    try {
      messages.push(serialize.bind({ statement: name, values, valueMapper: prepareValue }));
    } catch (error) {
      return toError(error, 'A value cannot be sent');
    }
    if (!this.state.read) messages.push(describing);
    messages.push(executing, sync);
    if (prepared === undefined && name !== '') submittedNamedStatements[name] = text;
    writeSoon(connection.stream, Buffer.concat(messages));
    return null;
  }

  #findReader(connection: Connection): void {
    const { name } = this.state.statement;
    if (name === '') return;
    const readers = readersOf.get(connection) ?? new Map<string, RowReader<unknown>>();
    readersOf.set(connection, readers);
    this.state.readers = readers;
    this.state.read = (readers.get(name) as RowReader<Row> | undefined) ?? null;
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const { readers, statement } = this.state;
    const read = rowReaderFor<Row>(fields);
    readers?.set(statement.name, read);
    this.state.read = read;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { read, rows } = this.state;
    try {
      if (read) rows.push(read(fields));
    } catch (error) {
      this.state.fault ??= toError(error, 'A value cannot be read');
    }
  }

  /** Comes for each leadingStatement, too; the last one is the statement's. */
  handleCommandComplete({ text }: { text: string }): void {
    this.state.command = text;
  }

  handleReadyForQuery(): void {
    const { fault, rows, command } = this.state;
    if (fault) this.callback(fault);
    else this.callback(null, { rows, command });
  }
}

const uncork = (stream: Duplex): void => stream.uncork();

/** Statements that are sent in the same moment leave in one piece. A stream that is closed tells all who wait for it. */
function writeSoon(stream: Duplex, bytes: Buffer): void {
  if (!stream.writable) return;
  if (stream.writableCorked === 0) {
    stream.cork();
    process.nextTick(uncork, stream);
  }
  stream.write(bytes);
}

function toError(thrown: unknown, message: string): Error {
  return thrown instanceof Error ? thrown : new TypeError(message, { cause: thrown });
}
