import { randomUUID } from 'node:crypto';
import type { Hex } from 'viem';
import type { Action, FakeChain } from './fake-chain.ts';

export type SaleState = 'DRAFT' | 'LISTED' | 'CANCELLED' | 'SOLD';

/** A sale that the service knows of, before the chain says anything about it. */
export interface KnownSale {
  readonly id: string;
  readonly tokenId: number;
  readonly seller: Hex;
  readonly state: SaleState;
}

/** What the tables should say of a chain, worked out as plainly as it can be said. */
export interface GroundTruth {
  readonly owners: Record<number, string>;
  readonly sales: Record<string, SaleState>;
  /** In their order: type, token, from, to, transaction. */
  readonly transactions: string[];
  /** Digital keys whose first owner still has the keys that they issued. */
  readonly liveKeys: number[];
  /** How often each digital key has changed its owner. */
  readonly nonces: Record<number, number>;
}

const open = (state: SaleState | undefined) => state === 'DRAFT' || state === 'LISTED';

/** Reads the whole chain from its first block on. */
export function workOutTruth(
  chain: FakeChain,
  knownSales: readonly KnownSale[],
  firstOwners: ReadonlyMap<number, Hex>,
): GroundTruth {
  const owners = new Map<number, string>();
  const sales = new Map(knownSales.map(({ id, state }) => [id, state]));
  const liveKeys = new Set(firstOwners.keys());
  const nonces = new Map<number, number>();
  const transactions: string[] = [];
  const countChange = (tokenId: number) => nonces.set(tokenId, (nonces.get(tokenId) ?? 0) + 1);
  const known = new Map(knownSales.map((sale) => [sale.id, sale]));
  const giveAway = (tokenId: number, from: string, to: string, soldSale: string | null) => {
    owners.set(tokenId, to);
    // A transfer to oneself changes nothing.
    if (from === to) return;
    countChange(tokenId);
    if (firstOwners.get(tokenId) === from) liveKeys.delete(tokenId);
    for (const sale of knownSales) {
      if (
        sale.tokenId === tokenId &&
        sale.seller === from &&
        sale.id !== soldSale &&
        open(sales.get(sale.id))
      ) {
        sales.set(sale.id, 'CANCELLED');
      }
    }
  };
  for (const { actions } of chain.blocks) {
    for (const { action, txHash } of actions) {
      const write = (type: string, from: string | null, to: string | null) =>
        transactions.push(`${type} ${action.tokenId} ${from} ${to} ${txHash}`);
      const sale = 'saleId' in action ? known.get(action.saleId) : undefined;
      switch (action.kind) {
        case 'mint':
          owners.set(action.tokenId, action.to);
          countChange(action.tokenId);
          write('MINT', null, action.to);
          break;
        case 'transfer':
          giveAway(action.tokenId, action.from, action.to, null);
          write('TRANSFER', action.from, action.to);
          break;
        case 'list':
          if (sale && sales.get(sale.id) === 'DRAFT') sales.set(sale.id, 'LISTED');
          write('LIST', action.owner, null);
          break;
        case 'cancel':
          if (sale && open(sales.get(sale.id))) sales.set(sale.id, 'CANCELLED');
          write('LIST_CANCEL', action.owner, null);
          break;
        case 'sell':
          giveAway(action.tokenId, action.seller, action.buyer, action.saleId);
          if (sale) sales.set(sale.id, 'SOLD');
          write('TRANSFER', action.seller, action.buyer);
          write('SALE', action.seller, action.buyer);
          break;
      }
    }
  }
  return {
    owners: Object.fromEntries(owners),
    sales: Object.fromEntries(sales),
    transactions,
    liveKeys: [...liveKeys],
    nonces: Object.fromEntries(nonces),
  };
}

/** People and tokens of one simulation; makes actions that the contracts would let through. */
export class SimulatedMarket {
  readonly wallets: readonly Hex[];
  readonly #random: (below: number) => number;
  readonly #firstToken: number;
  readonly #knownSales: readonly KnownSale[];
  #mintedTokens = 0;
  #mints = 0;

  constructor(
    random: (below: number) => number,
    firstToken: number,
    wallets: readonly Hex[],
    knownSales: readonly KnownSale[],
  ) {
    this.#random = random;
    this.#firstToken = firstToken;
    this.wallets = wallets;
    this.#knownSales = knownSales;
  }

  /** Something that can happen next on this chain. */
  nextAction(chain: FakeChain, earlier: readonly Action[]): Action {
    const history = [...chain.actions, ...earlier];
    const owners = new Map<number, Hex>();
    const listed = new Map<string, Extract<Action, { kind: 'list' }>>();
    const over = new Set<string>();
    /** Listings that the contract still honours: none from before the last change of owner. */
    const valid = new Set<string>();
    const changeOwner = (tokenId: number, to: Hex) => {
      if (owners.get(tokenId) === to) return;
      owners.set(tokenId, to);
      for (const listing of listed.values()) if (listing.tokenId === tokenId) valid.delete(listing.saleId);
    };
    for (const action of history) {
      if (action.kind === 'mint' || action.kind === 'transfer') changeOwner(action.tokenId, action.to);
      if (action.kind === 'list') {
        listed.set(action.saleId, action);
        valid.add(action.saleId);
      }
      if (action.kind === 'cancel' || action.kind === 'sell') over.add(action.saleId);
      if (action.kind === 'sell') changeOwner(action.tokenId, action.buyer);
    }
    const tokens = [...owners.keys()];
    const tokenId = tokens[this.#random(Math.max(1, tokens.length))];
    const owner = tokenId === undefined ? undefined : owners.get(tokenId);
    if (tokenId === undefined || owner === undefined || this.#random(6) === 0) {
      return { kind: 'mint', tokenId: this.#nextToMint(owners), to: this.#anybody() };
    }
    const openListings = [...listed.values()].filter(
      (listing) => !over.has(listing.saleId) && valid.has(listing.saleId),
    );
    const listing = openListings[this.#random(Math.max(1, openListings.length))];
    switch (this.#random(4)) {
      case 0:
        return this.#list(tokenId, owner, new Set([...listed.keys(), ...over]));
      case 1:
        if (listing)
          return { kind: 'cancel', tokenId: listing.tokenId, saleId: listing.saleId, owner: listing.owner };
        break;
      case 2:
        if (listing) {
          const { saleId, price } = listing;
          return {
            kind: 'sell',
            tokenId: listing.tokenId,
            saleId,
            seller: listing.owner,
            buyer: this.#anybody(),
            price,
          };
        }
        break;
    }
    return { kind: 'transfer', tokenId, from: owner, to: this.#anybody() };
  }

  /** By turns a new token and one whose mint a reorganisation has dropped, if there is one. */
  #nextToMint(owners: ReadonlyMap<number, Hex>): number {
    const first = this.#firstToken + 100;
    const minted = Array.from({ length: this.#mintedTokens }, (_, index) => first + index);
    const dropped = this.#mints++ % 2 === 1 ? minted.find((tokenId) => !owners.has(tokenId)) : undefined;
    return dropped ?? first + this.#mintedTokens++;
  }

  /** A sale that the service knows where there is one, else one that was signed elsewhere. */
  #list(tokenId: number, owner: Hex, used: ReadonlySet<string>): Action {
    const known = this.#knownSales.find(
      (sale) => sale.tokenId === tokenId && sale.seller === owner && !used.has(sale.id),
    );
    const price = BigInt(1 + this.#random(1_000_000)) * 10n ** 12n;
    return { kind: 'list', tokenId, saleId: known?.id ?? randomUUID(), owner, price };
  }

  #anybody(): Hex {
    return this.wallets[this.#random(this.wallets.length)] ?? '0x';
  }
}
