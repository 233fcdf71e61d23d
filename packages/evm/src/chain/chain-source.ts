import type { Hex } from 'viem';
import { callRpc, HttpError, RpcError } from '../json-rpc.ts';
import { RangeTooLarge, RpcFault } from '../rpc-fault.ts';
import type { ChainPlace } from './chain-event.ts';
import type { ChainView, LightBlock } from './plan-step.ts';
import type { RawLog, WatchedContracts } from './read-logs.ts';

/** A block with its time, in milliseconds since 1970. */
export interface TimedBlock extends LightBlock {
  readonly timeMs: number;
}

/**
 * The logs of one block, or of a range of final blocks. One block is selected by its hash, so a node that lacks it cannot
 * return an empty list.
 */
export type LogRange = { readonly blockHash: string } | { readonly from: number; readonly to: number };

/** Reads the chain from a node. All results are validated; everything else is an `RpcFault`. */
export interface ChainSource {
  readChainId(): Promise<number>;
  readView(): Promise<ChainView>;
  /** Returns null if the node does not have the block. */
  readBlock(number: number): Promise<TimedBlock | null>;
  readLogs(range: LogRange): Promise<RawLog[]>;
}

/** Calls a method of the node. Rejects with an `RpcFault` without a usable result. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>;

const defaultTimeoutMs = 15_000;
const maxAttempts = 3;
const maxResponseBytes = 8 * 1024 * 1024;
/** The depth at which a block counts as final if the node does not tell: two epochs. */
const finalAfterBlocks = 64;
/** The depth at which a block always counts as final, because some development chains never finalize. */
const finalAtLatestAfterBlocks = 1024;

/**
 * Creates a function that calls the node at a URL; the signal aborts running calls. Retries broken connections immediately,
 * because a step makes many calls and should not fail for one of them.
 */
export function askNodeAt(rpcUrl: string, signal: AbortSignal, timeoutMs = defaultTimeoutMs): AskNode {
  return async (method, params) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await callRpc(rpcUrl, method, params, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          limitBytes: maxResponseBytes,
        });
      } catch (error) {
        const isBrokenConnection = error instanceof TypeError && error.message === 'fetch failed';
        if (isBrokenConnection && attempt < maxAttempts && !signal.aborted) continue;
        const isResponse = error instanceof RpcError || error instanceof HttpError;
        throw new RpcFault(`${method}: ${isResponse ? error.message : 'no usable response'}`, {
          cause: error,
        });
      }
    }
  };
}

export function openChainSource(call: AskNode, contracts: WatchedContracts): ChainSource {
  const readByTag = async (tag: string): Promise<TimedBlock | null> => {
    const result = await call('eth_getBlockByNumber', [tag, false]);
    return result === null ? null : readTimedBlock(result);
  };
  const readBlock = async (number: number): Promise<TimedBlock | null> => {
    const block = await readByTag(toQuantity(number));
    if (block && block.number !== number)
      throw new RpcFault(`The node gave block ${block.number} for ${number}`);
    return block;
  };
  const readFinalized = async (head: LightBlock): Promise<LightBlock> => {
    // Chains without a beacon chain have no final block. Their nodes return an error or null.
    const named = await readByTag('finalized').catch(() => null);
    const assumed = Math.max(0, head.number - (named ? finalAtLatestAfterBlocks : finalAfterBlocks));
    const block = named && named.number >= assumed ? named : await readBlock(assumed);
    if (!block || block.number > head.number)
      throw new RpcFault('The node names no final block below its head');
    return block;
  };
  return {
    readChainId: async () => readQuantity(await call('eth_chainId', [])),
    readView: async () => {
      const head = await readByTag('latest');
      if (!head) throw new RpcFault('The node has no head');
      return { head, finalized: await readFinalized(head) };
    },
    readBlock,
    readLogs: async (range) => {
      const filter =
        'blockHash' in range
          ? { blockHash: range.blockHash }
          : { fromBlock: toQuantity(range.from), toBlock: toQuantity(range.to) };
      const result = await call('eth_getLogs', [
        { ...filter, address: [contracts.token, contracts.marketplace] },
      ]).catch((error: unknown) => {
        // Providers reject long ranges with different errors or time out, so any failure of a range suggests a shorter one.
        throw 'blockHash' in range || range.from === range.to
          ? error
          : new RangeTooLarge('A range of blocks is too long for the node', { cause: error });
      });
      if (!Array.isArray(result)) throw new RpcFault('The node gave no list of logs');
      return result.map((log) => readRawLog(log, range));
    },
  };
}

function readRawLog(value: unknown, range: LogRange): RawLog {
  const log = readObject(value);
  const place: ChainPlace = {
    blockNumber: readQuantity(log.blockNumber),
    blockHash: readHash(log.blockHash),
    txHash: readHash(log.transactionHash),
    logIndex: readQuantity(log.logIndex),
  };
  const isRequested =
    'blockHash' in range
      ? place.blockHash === range.blockHash
      : place.blockNumber >= range.from && place.blockNumber <= range.to;
  if (!isRequested || log.removed === true)
    throw new RpcFault('The node returned a log outside the requested range');
  if (!Array.isArray(log.topics)) throw new RpcFault('The node gave a log without topics');
  return {
    address: readHex(log.address, 20),
    topics: log.topics.map((topic) => readHex(topic, 32)),
    data: readHex(log.data),
    place,
  };
}

function readTimedBlock(value: unknown): TimedBlock {
  const block = readObject(value);
  return {
    number: readQuantity(block.number),
    hash: readHash(block.hash),
    parentHash: readHash(block.parentHash),
    timeMs: readQuantity(block.timestamp) * 1000,
  };
}

function readObject(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null)
    throw new RpcFault('The node gave something that is no object');
  return value as Readonly<Record<string, unknown>>;
}

function readQuantity(value: unknown): number {
  if (typeof value !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(value))
    throw new RpcFault('The node gave no number');
  return Number(value);
}

function readHash(value: unknown): Hex {
  return readHex(value, 32);
}

/** Returns lower case. */
function readHex(value: unknown, bytes?: number): Hex {
  const isHex = typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value);
  if (!isHex || (bytes !== undefined && value.length !== 2 + bytes * 2)) {
    throw new RpcFault('The node gave no hexadecimal text of the right length');
  }
  return `0x${value.slice(2).toLowerCase()}`;
}

function toQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}
