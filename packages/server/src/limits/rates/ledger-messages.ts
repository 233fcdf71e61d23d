/** A message of a worker to the ledger. The channel delivers all messages, in order. */
export type LedgerMessage =
  | {
      readonly kind: 'acquire';
      readonly policy: string;
      readonly key: string;
      readonly units: number;
      /** Units of earlier grants that the worker has not used. */
      readonly held: number;
      /** How many requests wait for the grant. They use its first units at once. */
      readonly waiting: number;
    }
  | { readonly kind: 'release'; readonly policy: string; readonly key: string; readonly unused: number };

/** The reply to `acquire`. */
export interface Grant {
  readonly policy: string;
  readonly key: string;
  /** 0 if the quota is exhausted. */
  readonly granted: number;
  /** Units that the worker now holds according to the ledger. */
  readonly held: number;
  /** The backlog of the caller, in which everything that was granted counts as used. */
  readonly backlogMs: number;
}

/** The channel of a worker to the ledger. */
export interface LedgerLink {
  /** Returns false if the channel is closed. */
  send(message: LedgerMessage): boolean;
  onGrant(listener: (grant: Grant) => void): void;
}
