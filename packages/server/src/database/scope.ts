import type { ClientConnection } from './client-connection.ts';

/** A holder, acting for one digital key. Sees what belongs to that key, to the holder and to the holder's wallet. */
export interface HolderScope {
  readonly role: 'holder';
  readonly holderId: string;
  readonly tokenId: number;
  readonly walletAddress: string;
  /** Who waits for what is read. Without it a query runs to its end. */
  readonly presence?: ClientConnection;
}

/** An administrator: the whole platform. */
export interface AdministratorScope {
  readonly role: 'administrator';
  readonly walletAddress: string;
  readonly presence?: ClientConnection;
}

/** The service itself, where no caller stands behind the work: jobs, the chain, looking up who calls. */
export interface SystemScope {
  readonly role: 'system';
}

/** Whose data a query may touch. Every query of a holder's data takes one as its first argument. */
export type Scope = HolderScope | AdministratorScope | SystemScope;

export const systemScope: SystemScope = { role: 'system' };
