import type { ClientConnection } from '../../lib/request/client-connection.ts';
import type { ReadRoute } from '../connection/read-route.ts';
import type { RequestNonce } from './request-nonce.ts';

/** A holder, acting for one digital key. Sees the data of that key, of the holder and of the holder's wallet. */
export interface HolderScope {
  readonly role: 'holder';
  readonly holderId: string;
  readonly tokenId: number;
  readonly walletAddress: string;
  /** When it closes, running queries are cancelled. Without it they run to their end. */
  readonly clientConnection?: ClientConnection;
  /** Set where queries may go to a replica. Transactions never do. */
  readonly replicaRead?: ReadRoute | undefined;
  /** The session whose token was sent. A signed request has none. */
  readonly sessionId?: string | undefined;
  /** The nonce of a change with a bound signature, which its transaction stores. */
  readonly nonce?: RequestNonce;
}

/** An administrator. Sees the data of all holders. */
export interface AdministratorScope {
  readonly role: 'administrator';
  readonly walletAddress: string;
  /** The session whose token was sent. */
  readonly sessionId?: string | undefined;
  readonly clientConnection?: ClientConnection;
  readonly replicaRead?: ReadRoute | undefined;
}

/** A signed-in wallet, whether or not it owns a digital key. Sees what belongs to the wallet. */
export interface WalletScope {
  readonly role: 'wallet';
  readonly walletAddress: string;
  /** The session whose token was sent. */
  readonly sessionId: string;
  readonly clientConnection?: ClientConnection;
  readonly replicaRead?: ReadRoute | undefined;
}

/** The service itself: jobs, the chain reader, and finding out who calls. */
export interface SystemScope {
  readonly role: 'system';
  /** Set where the service works for a caller. */
  readonly clientConnection?: ClientConnection;
  readonly replicaRead?: ReadRoute | undefined;
}

/** Whose data a query may read and change. Every query of holders' data takes a scope as its first argument. */
export type Scope = HolderScope | WalletScope | AdministratorScope | SystemScope;

/** Whether row-level security limits the scope to the rows of a holder or a wallet. */
export function isLimited(scope: Scope): scope is HolderScope | WalletScope {
  return scope.role === 'holder' || scope.role === 'wallet';
}

export const systemScope: SystemScope = { role: 'system' };
