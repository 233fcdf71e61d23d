import { createHash } from 'node:crypto';
import { encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbi, toHex } from 'viem';

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event Listed(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner, uint256 price, uint256 expiry)',
  'event Cancelled(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner)',
  'event Sold(bytes16 indexed saleId, uint256 indexed tokenId, address indexed seller, address buyer, uint256 price)',
]);

/** What a transaction on the chain does. */
export type Action =
  | { readonly kind: 'mint'; readonly tokenId: number; readonly to: Hex }
  | { readonly kind: 'transfer'; readonly tokenId: number; readonly from: Hex; readonly to: Hex }
  | {
      readonly kind: 'list';
      readonly tokenId: number;
      readonly saleId: string;
      readonly owner: Hex;
      readonly price: bigint;
    }
  | { readonly kind: 'cancel'; readonly tokenId: number; readonly saleId: string; readonly owner: Hex }
  | {
      readonly kind: 'sell';
      readonly tokenId: number;
      readonly saleId: string;
      readonly seller: Hex;
      readonly buyer: Hex;
      readonly price: bigint;
    };

export interface FakeBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly timestamp: number;
  readonly actions: readonly { readonly action: Action; readonly txHash: Hex }[];
}

export const fakeToken: Hex = `0x${'70'.repeat(20)}`;
export const fakeMarketplace: Hex = `0x${'3a'.repeat(20)}`;
const zero: Hex = `0x${'0'.repeat(40)}`;
const firstTimestamp = 1_790_000_000;

/** A chain that can be reorganised, with the responses of a node. Every block and transaction has its own hash. */
export class FakeChain {
  readonly chainId: number;
  /** A block is final when this many follow. */
  finalAfter: number;
  blocks: FakeBlock[] = [];
  #salt = 0;

  constructor(chainId: number, finalAfter: number) {
    this.chainId = chainId;
    this.finalAfter = finalAfter;
    this.mine([]);
  }

  get head(): FakeBlock {
    const head = this.blocks.at(-1);
    if (!head) throw new Error('A chain has at least its first block');
    return head;
  }

  get finalizedNumber(): number {
    return Math.max(0, this.head.number - this.finalAfter);
  }

  mine(actions: readonly Action[]): void {
    const number = this.blocks.length;
    const parentHash = this.blocks.at(-1)?.hash ?? `0x${'0'.repeat(64)}`;
    this.blocks.push({
      number,
      hash: this.#hash(`block ${number} ${parentHash}`),
      parentHash,
      timestamp: firstTimestamp + number * 12,
      actions: actions.map((action) => ({ action, txHash: this.#hash('transaction') })),
    });
  }

  /** Drops this many blocks from the end. */
  drop(count: number): void {
    this.blocks = this.blocks.slice(0, this.blocks.length - count);
  }

  /** Everything that happened, in order. */
  get actions(): Action[] {
    return this.blocks.flatMap(({ actions }) => actions.map(({ action }) => action));
  }

  /** The response to a call of a node. A head below the real one is that of a node that lags behind. */
  answer(method: string, params: readonly unknown[], lag = 0): unknown {
    const visible = this.blocks.slice(0, Math.max(1, this.blocks.length - lag));
    const head = visible.at(-1);
    switch (method) {
      case 'eth_chainId':
        return toHex(this.chainId);
      case 'eth_getBlockByNumber': {
        const [tag] = params;
        const finalized = Math.max(0, (head?.number ?? 0) - this.finalAfter);
        const number = tag === 'latest' ? head?.number : tag === 'finalized' ? finalized : Number(tag);
        const block = visible[number ?? 0];
        return block
          ? {
              number: toHex(block.number),
              hash: block.hash,
              parentHash: block.parentHash,
              timestamp: toHex(block.timestamp),
            }
          : null;
      }
      case 'eth_getLogs': {
        const filter = params[0] as { blockHash?: string; fromBlock?: string; toBlock?: string };
        if (filter.blockHash !== undefined) {
          const block = visible.find(({ hash }) => hash === filter.blockHash);
          if (!block) throw new Error('unknown block');
          return logsOf(block);
        }
        return visible
          .filter(({ number }) => number >= Number(filter.fromBlock) && number <= Number(filter.toBlock))
          .flatMap(logsOf);
      }
      default:
        throw new Error(`the method ${method} does not exist`);
    }
  }

  #hash(text: string): Hex {
    return `0x${createHash('sha256')
      .update(`${this.chainId} ${text} ${this.#salt++}`)
      .digest('hex')}`;
  }
}

function logsOf(block: FakeBlock): object[] {
  const logs = block.actions.flatMap(({ action, txHash }) =>
    eventsOf(action).map((event) => ({ ...event, txHash })),
  );
  return logs.map(({ txHash, ...event }, index) => ({
    ...event,
    blockNumber: toHex(block.number),
    blockHash: block.hash,
    transactionHash: txHash,
    logIndex: toHex(index),
    removed: false,
  }));
}

interface FakeEvent {
  readonly address: Hex;
  readonly topics: readonly unknown[];
  readonly data: Hex;
}

function transferEvent(from: Hex, to: Hex, tokenId: number): FakeEvent {
  const args = { from, to, tokenId: BigInt(tokenId) };
  return { address: fakeToken, topics: encodeEventTopics({ abi, eventName: 'Transfer', args }), data: '0x' };
}

const uint = { type: 'uint256' } as const;

function eventsOf(action: Action): FakeEvent[] {
  const tokenId = BigInt(action.tokenId);
  switch (action.kind) {
    case 'mint':
      return [transferEvent(zero, action.to, action.tokenId)];
    case 'transfer':
      return [transferEvent(action.from, action.to, action.tokenId)];
    case 'list': {
      const args = { saleId: saleBytes(action.saleId), tokenId, owner: action.owner };
      return [
        {
          address: fakeMarketplace,
          topics: encodeEventTopics({ abi, eventName: 'Listed', args }),
          data: encodeAbiParameters([uint, uint], [action.price, 2_000_000_000n]),
        },
      ];
    }
    case 'cancel': {
      const args = { saleId: saleBytes(action.saleId), tokenId, owner: action.owner };
      return [
        {
          address: fakeMarketplace,
          topics: encodeEventTopics({ abi, eventName: 'Cancelled', args }),
          data: '0x',
        },
      ];
    }
    case 'sell': {
      const args = { saleId: saleBytes(action.saleId), tokenId, seller: action.seller };
      return [
        transferEvent(action.seller, action.buyer, action.tokenId),
        {
          address: fakeMarketplace,
          topics: encodeEventTopics({ abi, eventName: 'Sold', args }),
          data: encodeAbiParameters([{ type: 'address' }, uint], [action.buyer, action.price]),
        },
      ];
    }
  }
}

function saleBytes(saleId: string): Hex {
  return pad(`0x${saleId.replaceAll('-', '')}`, { dir: 'right', size: 16 });
}
