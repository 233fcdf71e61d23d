import type { Hex } from 'viem';
import type { ChainPlace } from './chain-event.ts';
import { callRpc, RpcError } from './json-rpc.ts';
import type { LightBlock } from './light-block.ts';
import type { ChainView } from './plan-step.ts';
import type { RawLog, WatchedContracts } from './read-logs.ts';
import { RpcFault, TooMuchAsked } from './rpc-fault.ts';

/** A block with its time, in milliseconds since 1970. */
export interface TimedBlock extends LightBlock {
  readonly timeMs: number;
}

/** Which logs: of one block, by its hash, so that a node that lacks it cannot say "none"; or of a range of final ones. */
export type LogRange = { readonly blockHash: string } | { readonly from: number; readonly to: number };

/** The chain as a node tells it. Everything that comes out has been checked; everything else is an `RpcFault`. */
export interface ChainSource {
  readChainId(): Promise<number>;
  readView(): Promise<ChainView>;
  /** Null when the node has no such block. */
  readBlock(number: number): Promise<TimedBlock | null>;
  readLogs(range: LogRange): Promise<RawLog[]>;
}

/** Asks a node. Rejects with an `RpcFault` whatever is no answer. */
export type AskNode = (method: string, params: readonly unknown[]) => Promise<unknown>;

const defaultTimeoutMs = 15_000;
const mostAttempts = 3;
const largestAnswerBytes = 8 * 1024 * 1024;
/** What counts as final where the node does not say: two epochs. */
const finalAfterBlocks = 64;
/** What counts as final whatever the node says: some development chains never finalise anything. */
const finalAtLatestAfterBlocks = 1024;

/**
 * Asks the node at an address; what is being asked ends with the signal. A connection that breaks is tried again at once, a
 * few times: a step asks many things, and should not fail over one of them.
 */
export function askNodeAt(rpcUrl: string, signal: AbortSignal, timeoutMs = defaultTimeoutMs): AskNode {
  return async (method, params) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await callRpc(rpcUrl, method, params, {
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          limitBytes: largestAnswerBytes,
        });
      } catch (error) {
        const isBrokenConnection = error instanceof TypeError && error.message === 'fetch failed';
        if (isBrokenConnection && attempt < mostAttempts && !signal.aborted) continue;
        throw new RpcFault(`${method}: ${error instanceof RpcError ? error.message : 'no answer of use'}`, {
          cause: error,
        });
      }
    }
  };
}

export function openChainSource(call: AskNode, contracts: WatchedContracts): ChainSource {
  const readByTag = async (tag: string): Promise<TimedBlock | null> => {
    const answer = await call('eth_getBlockByNumber', [tag, false]);
    return answer === null ? null : readTimedBlock(answer);
  };
  const readBlock = async (number: number): Promise<TimedBlock | null> => {
    const block = await readByTag(toQuantity(number));
    if (block && block.number !== number)
      throw new RpcFault(`The node gave block ${block.number} for ${number}`);
    return block;
  };
  const readFinalized = async (head: LightBlock): Promise<LightBlock> => {
    // Chains without a beacon know no final block, and their nodes answer with an error or with nothing.
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
      const answer = await call('eth_getLogs', [
        { ...filter, address: [contracts.token, contracts.marketplace] },
      ]).catch((error: unknown) => {
        // Providers refuse a range in as many words as there are providers, or go silent over it: less is tried.
        throw 'blockHash' in range || range.from === range.to
          ? error
          : new TooMuchAsked('A range of blocks is too long for the node', { cause: error });
      });
      if (!Array.isArray(answer)) throw new RpcFault('The node gave no list of logs');
      return answer.map((log) => readRawLog(log, range));
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
  const isAskedFor =
    'blockHash' in range
      ? place.blockHash === range.blockHash
      : place.blockNumber >= range.from && place.blockNumber <= range.to;
  if (!isAskedFor || log.removed === true) throw new RpcFault('The node gave a log that was not asked for');
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

/** In lower case. */
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
