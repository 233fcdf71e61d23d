import type { Duplex } from 'node:stream';
import pg from 'pg';
import { serialize } from 'pg-protocol';
import { findPlannerSettings, forceGenericPlan, plannerSettings } from './planner-settings.ts';
import { type Column, getRowReader, type RowReader } from './row-reader.ts';
import { type Statement, statement } from './statement.ts';

/**
 * A statement whose rows nobody reads, and that runs before another in the same round trip. A connection that names its
 * statements has already prepared it.
 */
export interface LeadingStatement {
  readonly statement: Statement<unknown>;
  readonly values: readonly unknown[];
}

interface QueryParts<Row> {
  readonly leadingStatements: readonly LeadingStatement[];
  readonly statement: Statement<Row>;
  readonly values: unknown[];
}

interface Result<Row> {
  readonly rows: Row[];
  /** The command tag of PostgreSQL, such as `SELECT 1` or `COMMIT`. */
  readonly command: string;
}

/**
 * Runs a statement after its leading statements, in one round trip.
 *
 * In PostgreSQL's extended protocol everything up to a Sync message succeeds or fails together: after a failed message the
 * server skips the rest. So the scope can be set in the same round trip as the statement that depends on it.
 */
export async function execute<Row>(
  client: pg.ClientBase,
  statement: Statement<Row>,
  values: unknown[],
  leadingStatements: readonly LeadingStatement[] = [],
): Promise<Row[]> {
  return (await send(client, { leadingStatements, statement, values })).rows;
}

const commit = statement<never>('transaction.commit', 'COMMIT');

/**
 * Commits a transaction after these statements, which `arePrepared` accepts. If one of them fails, PostgreSQL skips the rest.
 * Returns false when PostgreSQL rolled the transaction back because a statement in it had failed.
 */
export async function commitTransaction(
  client: pg.ClientBase,
  leadingStatements: readonly LeadingStatement[] = [],
): Promise<boolean> {
  const { command } = await send(client, { leadingStatements, statement: commit, values: [] });
  return command === 'COMMIT';
}

/** Whether the connection has prepared all of these statements, so that they can lead another one. */
export function arePrepared(client: pg.ClientBase, statements: readonly LeadingStatement[]): boolean {
  const { connection } = client as unknown as { readonly connection: Connection };
  return (
    getConnectionState(connection).namesStatements &&
    statements.every(({ statement }) => connection.parsedStatements[statement.name] === statement.text)
  );
}

/** Called before a query with the name and the text of its statement. What it returns is called at the end of the query. */
export type QueryObserver = (name: string, text: string) => ((error: unknown) => void) | null;

let observer: QueryObserver | null = null;

/** Observes every query of the process, for example to trace it. */
export function observeQueries(next: QueryObserver | null): void {
  observer = next;
}

function send<Row>(client: pg.ClientBase, parts: QueryParts<Row>): Promise<Result<Row>> {
  const endQuery = observer?.(parts.statement.name, parts.statement.text);
  return new Promise((resolve, reject) => {
    client.query(
      new PipelinedQuery(parts, (error, result) => {
        endQuery?.(error);
        if (result) resolve(result);
        else reject(error);
      }),
    );
  });
}

type Callback<Row> = (error: Error | null, result?: Result<Row>) => void;

/** The part of pg that its published types leave out. */
interface Connection extends pg.Connection {
  /** Texts by statement name: of statements that are prepared, and of those whose Parse message has been sent. */
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
// pg pipelines only instances of its own query class: anything else waits for the responses to earlier queries.
const PgQuery = pg.Query as unknown as PgQueryConstructor;
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils;

const executeMessage = serialize.execute();
const describeMessage = serialize.describe({ type: 'P' });
const syncMessage = serialize.sync();

const plannerMessages = new Map(
  plannerSettings.map((setting) => [
    setting,
    Buffer.concat([serialize.bind({ statement: setting.name }), executeMessage]),
  ]),
);
const precedingMessages = new WeakMap<Statement<never>, Buffer>();

/** Parsed each time: a connection may be opened before its database has what the statement needs. */
function getPrecedingMessage(preceding: Statement<never>): Buffer {
  let message = precedingMessages.get(preceding);
  if (!message) {
    message = Buffer.concat([
      serialize.parse({ text: preceding.text }),
      serialize.bind({ statement: '' }),
      executeMessage,
    ]);
    precedingMessages.set(preceding, message);
  }
  return message;
}

/** Adds what runs before a statement because of its options. */
function pushPreparation(messages: Buffer[], statement: Statement<unknown>): void {
  for (const setting of findPlannerSettings(statement)) {
    const message = plannerMessages.get(setting);
    if (message) messages.push(message);
  }
  if (statement.precededBy) messages.push(getPrecedingMessage(statement.precededBy));
}

/** What is known about a connection. */
interface ConnectionState {
  /** By statement name. The columns of a prepared statement never change on a connection. */
  readonly readers: Map<string, RowReader<unknown>>;
  /** Whether statements are prepared under their names. */
  readonly namesStatements: boolean;
}
const connectionStates = new WeakMap<Connection, ConnectionState>();

/**
 * Sends every statement of this client without a name, parsed each time. A connection pooler in transaction mode runs each
 * transaction on another server connection, which does not know the prepared statements of the one before.
 */
export function useUnnamedStatements(client: pg.ClientBase): void {
  const { connection } = client as unknown as { readonly connection: Connection };
  connectionStates.set(connection, { readers: new Map(), namesStatements: false });
}

function getConnectionState(connection: Connection): ConnectionState {
  let state = connectionStates.get(connection);
  if (!state) {
    state = { readers: new Map(), namesStatements: true };
    connectionStates.set(connection, state);
  }
  return state;
}

interface State<Row> extends QueryParts<Row> {
  readonly rows: Row[];
  /** Those of the connection; null for a statement without a name. */
  readers: Map<string, RowReader<unknown>> | null;
  read: RowReader<Row> | null;
  command: string;
  error: Error | null;
}

/**
 * A query of pg that writes its own messages: all of them in one buffer, and without asking for the columns of a statement
 * that are known already. pg writes each message separately and asks each time.
 */
class PipelinedQuery<Row> extends PgQuery<Row> {
  /** Declared, not defined: V8 is slow to define a field on an object that a base class has created. */
  declare private readonly state: State<Row>;

  constructor({ leadingStatements, statement, values }: QueryParts<Row>, callback: Callback<Row>) {
    // Passed as text: pg copies a query object property by property.
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
      error: null,
    };
  }

  /** Called by pg to send the query. Returns an error when it cannot be sent. */
  submit(pgConnection: pg.Connection): Error | null {
    const connection = pgConnection as Connection;
    const connectionState = getConnectionState(connection);
    if (!connectionState.namesStatements) return this.#submitUnnamed(connection);
    const { leadingStatements, statement, values } = this.state;
    const { name, text } = statement;
    const { parsedStatements, submittedNamedStatements } = connection;
    const prepared = name === '' ? undefined : (parsedStatements[name] ?? submittedNamedStatements[name]);
    if (prepared !== undefined && prepared !== text) return new Error(`Two statements are called ${name}`);
    if (name !== '') this.#findReader(connectionState.readers);
    const messages: Buffer[] = [];
    try {
      for (const leading of leadingStatements) {
        pushPreparation(messages, leading.statement);
        messages.push(bind(leading.statement.name, leading.values), executeMessage);
      }
      pushPreparation(messages, statement);
      if (prepared === undefined) messages.push(serialize.parse({ name, text }));
      messages.push(bind(name, values));
    } catch (error) {
      return toError(error, 'A value cannot be sent');
    }
    if (!this.state.read) messages.push(describeMessage);
    messages.push(executeMessage, syncMessage);
    if (prepared === undefined && name !== '') submittedNamedStatements[name] = text;
    writeCorked(connection.stream, Buffer.concat(messages));
    return null;
  }

  /** The same for a connection that prepares no statements. */
  #submitUnnamed(connection: Connection): Error | null {
    const { leadingStatements, statement, values } = this.state;
    // pg remembers a statement as prepared by the name of its query.
    this.name = '';
    const messages: Buffer[] = [];
    const settings = findPlannerSettings(statement).filter((setting) => setting !== forceGenericPlan);
    if (statement.precededBy) settings.push(statement.precededBy);
    const leading = [
      ...leadingStatements,
      ...settings.map((setting) => ({ statement: setting, values: [] })),
    ];
    for (const each of leading) {
      messages.push(
        serialize.parse({ name: '', text: each.statement.text }),
        bind('', each.values),
        executeMessage,
      );
    }
    messages.push(serialize.parse({ name: '', text: statement.text }));
    try {
      messages.push(bind('', values));
    } catch (error) {
      return toError(error, 'A value cannot be sent');
    }
    messages.push(describeMessage, executeMessage, syncMessage);
    writeCorked(connection.stream, Buffer.concat(messages));
    return null;
  }

  #findReader(readers: Map<string, RowReader<unknown>>): void {
    this.state.readers = readers;
    this.state.read = (readers.get(this.state.statement.name) as RowReader<Row> | undefined) ?? null;
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    const { readers, statement } = this.state;
    const read = getRowReader<Row>(fields);
    readers?.set(statement.name, read);
    this.state.read = read;
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const { read, rows } = this.state;
    try {
      if (read) rows.push(read(fields));
    } catch (error) {
      this.state.error ??= toError(error, 'A value cannot be read');
    }
  }

  /** Also called for each leading statement. The last call is for the statement itself. */
  handleCommandComplete({ text }: { text: string }): void {
    this.state.command = text;
  }

  handleReadyForQuery(): void {
    const { error, rows, command } = this.state;
    if (error) this.callback(error);
    else this.callback(null, { rows, command });
  }
}

function bind(name: string, values: readonly unknown[]): Buffer {
  return serialize.bind({ statement: name, values: values as unknown[], valueMapper: prepareValue });
}

const uncork = (stream: Duplex): void => stream.uncork();

/**
 * Queries that are sent in the same tick leave in one packet. Nothing is written to a closed stream, whose queries pg
 * rejects by itself.
 */
function writeCorked(stream: Duplex, bytes: Buffer): void {
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
