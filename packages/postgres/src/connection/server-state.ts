import type pg from 'pg';
import type { TargetSession } from './connection-url.ts';
import { isSuperseded } from './superseded-servers.ts';

/** Thrown when a server is not in the state that the connection URL asks for. */
class WrongServerState extends Error {
  override name = 'WrongServerState';
}

/** The part of pg that its published types leave out. */
interface ConnectionOwner {
  readonly connection: NodeJS.EventEmitter;
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/**
 * Knows whether a server accepts writes. PostgreSQL reports both settings when a session begins and whenever they change,
 * so a connection learns of a failover without a query.
 */
export class ServerState {
  #inHotStandby: boolean | null = null;
  #isReadOnly: boolean | null = null;
  readonly #client: pg.ClientBase;

  /** The client must not be connected yet. */
  constructor(client: pg.ClientBase) {
    this.#client = client;
    const { connection } = client as unknown as ConnectionOwner;
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.#inHotStandby = parameterValue === 'on';
      if (parameterName === 'default_transaction_read_only') this.#isReadOnly = parameterValue === 'on';
    });
  }

  /** Returns whether the server is known not to be in the wanted state, without a query. */
  isOtherThan(target: TargetSession): boolean {
    if (target === 'any') return false;
    if (target === 'standby') return this.#inHotStandby === false;
    if (isSuperseded(this.#client)) return true;
    return this.#inHotStandby === true || (target === 'read-write' && this.#isReadOnly === true);
  }

  /** Throws unless the server of a new connection is in the wanted state. */
  async verify(target: TargetSession): Promise<void> {
    if (target === 'any') return;
    // A connection pooler may not report them.
    if (this.#inHotStandby === null || this.#isReadOnly === null) await this.#query();
    if (!this.isOtherThan(target)) return;
    if (target === 'standby') throw new WrongServerState('The server is not a standby');
    if (isSuperseded(this.#client))
      throw new WrongServerState('The server accepts writes although another one was promoted after it');
    throw new WrongServerState(
      this.#inHotStandby ? 'The server is a standby' : 'The server accepts no writes',
    );
  }

  async #query(): Promise<void> {
    const { rows } = await this.#client.query<{ inHotStandby: boolean; isReadOnly: boolean }>(
      `SELECT pg_is_in_recovery() AS "inHotStandby", current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    this.#inHotStandby = rows[0]?.inHotStandby ?? null;
    this.#isReadOnly = rows[0]?.isReadOnly ?? null;
  }
}
