import type pg from 'pg';

/**
 * Servers that accept writes although another one was promoted after them. `PrimaryWatch` finds them. All connections of the process
 * avoid them, also those outside the pools: a process that reads from one server and listens to another would trust stale caches.
 */
const superseded = new Set<string>();

/** Returns the address that a client connects to. */
export function addressOf(client: pg.ClientBase): string {
  const { host, port } = client as pg.Client;
  return `${host}:${port}`;
}

export function setSuperseded(address: string, isSuperseded: boolean): void {
  if (isSuperseded) superseded.add(address);
  else superseded.delete(address);
}

/** Called for each use of a connection, so it must be cheap. */
export function isSuperseded(client: pg.ClientBase): boolean {
  return superseded.size > 0 && superseded.has(addressOf(client));
}
