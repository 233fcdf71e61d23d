import type { Hex } from 'viem';
import { decodeEventLog, parseAbi } from 'viem/utils';
import { RpcFault } from '../rpc-fault.ts';
import type { ChainEvent, ChainPlace } from './chain-event.ts';

export interface WatchedContracts {
  /** Addresses are in lower case. */
  readonly token: string;
  readonly marketplace: string;
}

/** A log of the node with validated fields. */
export interface RawLog {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly place: ChainPlace;
}

const tokenEvents = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
]);
const marketplaceEvents = parseAbi([
  'event Listed(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner, uint256 price, uint256 expiry)',
  'event Cancelled(bytes16 indexed saleId, uint256 indexed tokenId, address indexed owner)',
  'event Sold(bytes16 indexed saleId, uint256 indexed tokenId, address indexed seller, address buyer, uint256 price)',
]);

/**
 * Decodes the logs of the two contracts, in chain order. Skips unknown events, and tokens whose id is not a safe integer,
 * because JSON cannot carry it.
 */
export function readLogs(logs: readonly RawLog[], contracts: WatchedContracts): ChainEvent[] {
  return [...logs]
    .sort(
      (one, other) =>
        one.place.blockNumber - other.place.blockNumber || one.place.logIndex - other.place.logIndex,
    )
    .flatMap((log) => readLog(log, contracts) ?? []);
}

function readLog(log: RawLog, { token, marketplace }: WatchedContracts): ChainEvent | null {
  const { address, place } = log;
  if (address === token) {
    const event = decode(tokenEvents, log);
    if (!event) return null;
    const { from, to, tokenId } = event.args;
    return withToken(tokenId, (id) => ({
      kind: 'transfer',
      place,
      tokenId: id,
      from: lower(from),
      to: lower(to),
    }));
  }
  if (address !== marketplace) throw new RpcFault('The node returned a log of another contract');
  const event = decode(marketplaceEvents, log);
  if (!event) return null;
  const saleId = toUuid(event.args.saleId);
  return withToken(event.args.tokenId, (tokenId) => {
    switch (event.eventName) {
      case 'Listed':
        return {
          kind: 'listed',
          place,
          tokenId,
          saleId,
          owner: lower(event.args.owner),
          price: event.args.price,
        };
      case 'Cancelled':
        return { kind: 'cancelled', place, tokenId, saleId, owner: lower(event.args.owner) };
      case 'Sold':
        return {
          kind: 'sold',
          place,
          tokenId,
          saleId,
          seller: lower(event.args.seller),
          buyer: lower(event.args.buyer),
          price: event.args.price,
        };
    }
  });
}

function decode<const Abi extends typeof tokenEvents | typeof marketplaceEvents>(
  abi: Abi,
  { topics, data }: RawLog,
) {
  const [signature, ...rest] = topics;
  if (!signature) return null;
  try {
    return decodeEventLog({ abi, topics: [signature, ...rest], data, strict: true });
  } catch {
    // Another event of the contract, or one with the same name and other indexed fields (such as Transfer of ERC-20).
    return null;
  }
}

function withToken(tokenId: bigint, make: (tokenId: number) => ChainEvent): ChainEvent | null {
  return tokenId <= BigInt(Number.MAX_SAFE_INTEGER) ? make(Number(tokenId)) : null;
}

function lower(address: string): string {
  return address.toLowerCase();
}

function toUuid(bytes: string): string {
  return bytes.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
