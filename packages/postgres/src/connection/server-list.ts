import { parseServers, type TargetSession } from './connection-url.ts';

/** The servers that may be in the wanted state, and the one to which connections are opened at the moment. */
export class ServerList {
  readonly target: TargetSession;
  readonly #urls: readonly string[];
  #index = 0;
  #generation = 0;

  constructor(url: string, target?: TargetSession) {
    const servers = parseServers(url);
    this.#urls = servers.urls;
    this.target = target ?? servers.target;
  }

  get count(): number {
    return this.#urls.length;
  }

  get current(): string {
    return this.#urls[this.#index] ?? '';
  }

  /** Connections of an older generation are not used any more. */
  get generation(): number {
    return this.#generation;
  }

  /** Moves on to the next server, unless another connection has done so since this URL was the current one. */
  moveOnFrom(url: string): void {
    if (url === this.current) this.#index = (this.#index + 1) % this.#urls.length;
  }

  /** Gives up all open connections, because the server behind them is gone or is no longer the primary. */
  retireConnections(): void {
    this.#generation++;
  }
}
