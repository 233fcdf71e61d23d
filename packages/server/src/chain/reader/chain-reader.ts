import { RangeTooLarge, RpcFault } from '@keyfront/evm';
import {
  type ChainEvent,
  type ChainSource,
  type ChainView,
  findAncestor,
  planStep,
  readLogs,
  type TimedBlock,
} from '@keyfront/evm/chain';
import type { Database } from '../../database/database.ts';
import { systemScope } from '../../database/transactions/scope.ts';
import type { RunInTransaction } from '../../database/transactions/transaction.ts';
import { applyEvents } from '../events/apply-events.ts';
import { undoEventsAbove } from '../events/undo-events.ts';
import {
  type ChainIdentity,
  dropBlocksAbove,
  dropFinalizedBlocks,
  moveReader,
  raiseAlarm,
  readState,
  type StoredState,
  storeBlock,
} from './position-queries.ts';

export interface ChainReaderDependencies {
  readonly database: Database;
  readonly source: ChainSource;
  readonly name: ChainIdentity;
  readonly startBlock: number;
  /** Called after each step that moved the position. */
  readonly onProgress?: (progress: Progress) => void;
}

export interface Progress {
  readonly position: number;
  readonly head: number;
  /** The number of blocks that a reorganization removed; 0 for steps forward. */
  readonly undone: number;
}

/** The result of a step: `moved` (there may be more), `waiting` (nothing new), or `stopped` (an operator must intervene). */
export type Outcome = 'moved' | 'waiting' | 'stopped';

const maxRangeBlocks = 10_000;
const initialRangeBlocks = 2_000;
/** How often a node must deny a final block before the reader raises the alarm. */
const denialsBeforeAlarm = 3;
/** The number of concurrent block requests. */
const concurrentBlockReads = 8;

/**
 * Follows the chain step by step. Each step applies its events and moves the position in one transaction, so a reader that
 * crashes resumes where it was, and no step is ever half applied.
 */
export class ChainReader {
  readonly #dependencies: ChainReaderDependencies;
  #rangeBlocks = initialRangeBlocks;
  #denials = 0;

  constructor(dependencies: ChainReaderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Runs one step. Throws an `RpcFault` if the node gives no usable response; the caller may retry later. */
  async step(): Promise<Outcome> {
    const { database, source, name, startBlock } = this.#dependencies;
    const state = await readState(database, name, startBlock);
    if (state.alarm !== null) return 'stopped';
    const view = await source.readView();
    const plan = planStep(state, view);
    switch (plan.kind) {
      case 'wait':
        return 'waiting';
      case 'fork':
        return this.#undoFork(state, view);
      case 'history':
        return this.#readHistory(state, view, plan.to);
      case 'next':
        return this.#readNext(state, view, plan.number);
    }
  }

  async #readNext(state: StoredState, view: ChainView, number: number): Promise<Outcome> {
    const { source } = this.#dependencies;
    const block = await source.readBlock(number);
    if (!block) throw new RpcFault(`The node has a head and lacks block ${number} below it`);
    const last = state.kept.at(-1);
    if (last && block.parentHash !== last.hash) return this.#undoFork(state, view);
    const events = readLogs(
      await source.readLogs({ blockHash: block.hash }),
      this.#dependencies.name.contracts,
    );
    return this.#write(state, view, block, (tx) => {
      storeBlock(tx, this.#dependencies.name.chainId, block);
      return this.#apply(tx, events, [block], true);
    });
  }

  /** Reads a range of final blocks, as long as the node allows, after checking that the stored blocks are on this chain. */
  async #readHistory(state: StoredState, view: ChainView, finalized: number): Promise<Outcome> {
    const { source, name } = this.#dependencies;
    const last = state.kept.at(-1);
    if (last && (await source.readBlock(last.number))?.hash !== last.hash) return this.#undoFork(state, view);
    const from = state.position + 1;
    const to = Math.min(finalized, from + this.#rangeBlocks - 1);
    const events = readLogs(await this.#readRange(from, to), name.contracts);
    const blocks = await this.#readBlocks([
      ...new Set([...events.map(({ place }) => place.blockNumber), to]),
    ]);
    const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]));
    if (events.some(({ place }) => hashes.get(place.blockNumber) !== place.blockHash)) {
      throw new RpcFault('The node gave logs of blocks that its chain does not have');
    }
    const anchor = blocks.find(({ number }) => number === to);
    if (!anchor) throw new RpcFault(`The node lacks the final block ${to}`);
    return this.#write(state, view, anchor, async (tx) => {
      await this.#apply(tx, events, blocks, false);
      dropFinalizedBlocks(tx, name.chainId, to);
      storeBlock(tx, name.chainId, anchor);
    });
  }

  async #readBlocks(numbers: readonly number[]): Promise<TimedBlock[]> {
    const blocks: TimedBlock[] = [];
    for (let at = 0; at < numbers.length; at += concurrentBlockReads) {
      const batch = numbers.slice(at, at + concurrentBlockReads).map(async (number) => {
        const block = await this.#dependencies.source.readBlock(number);
        if (!block) throw new RpcFault(`The node lacks the final block ${number}`);
        return block;
      });
      blocks.push(...(await Promise.all(batch)));
    }
    return blocks;
  }

  async #readRange(from: number, to: number) {
    try {
      const logs = await this.#dependencies.source.readLogs({ from, to });
      this.#rangeBlocks = Math.min(maxRangeBlocks, Math.ceil(this.#rangeBlocks * 1.5));
      return logs;
    } catch (error) {
      if (error instanceof RangeTooLarge) this.#rangeBlocks = Math.max(1, Math.floor((to - from + 1) / 2));
      throw error;
    }
  }

  /** Handles a reorganization: undoes all events above the last common block. */
  async #undoFork(state: StoredState, view: ChainView): Promise<Outcome> {
    const { database, source, name } = this.#dependencies;
    const fromNode = new Map<number, TimedBlock>();
    for (const { number, hash } of [...state.kept].reverse()) {
      if (number > view.head.number) continue;
      const block = await source.readBlock(number);
      if (!block) throw new RpcFault(`The node has a head and lacks block ${number} below it`);
      fromNode.set(number, block);
      if (block.hash === hash) break;
    }
    const ancestor = findAncestor(state.kept, fromNode);
    if (!ancestor) {
      // Only an operator clears the alarm, so one wrong response of a node must not raise it.
      if (++this.#denials < denialsBeforeAlarm) throw new RpcFault('The node denies a block that was final');
      await raiseAlarm(database, name, describeReorgBelowFinality(state));
      return 'stopped';
    }
    this.#denials = 0;
    const { number } = ancestor;
    return this.#commit(state, view, number, async (tx) => {
      await undoEventsAbove(tx, name.chainId, number);
      dropBlocksAbove(tx, name.chainId, number);
    });
  }

  #apply(
    tx: RunInTransaction,
    events: readonly ChainEvent[],
    blocks: readonly TimedBlock[],
    isUndoable: boolean,
  ): Promise<void> {
    const times = new Map(blocks.map(({ number, timeMs }) => [number, new Date(timeMs)]));
    const getBlockTime = (number: number) => times.get(number) ?? new Date(0);
    const { chainId, contracts } = this.#dependencies.name;
    return applyEvents(tx, { chainId, tokenContract: contracts.token, events, getBlockTime, isUndoable });
  }

  async #write(
    state: StoredState,
    view: ChainView,
    block: TimedBlock,
    work: (tx: RunInTransaction) => Promise<void>,
  ): Promise<Outcome> {
    this.#denials = 0;
    return this.#commit(state, view, block.number, async (tx) => {
      await work(tx);
      dropFinalizedBlocks(tx, this.#dependencies.name.chainId, Math.min(view.finalized.number, block.number));
    });
  }

  async #commit(
    state: StoredState,
    view: ChainView,
    to: number,
    work: (tx: RunInTransaction) => Promise<void>,
  ): Promise<Outcome> {
    const { database, name, onProgress } = this.#dependencies;
    const finalized = Math.min(view.finalized.number, to);
    const isMoved = await database.transaction(systemScope, async (tx) => {
      if (!(await moveReader(tx, name, { from: state.position, to, finalized }))) return false;
      await work(tx);
      return true;
    });
    if (isMoved)
      onProgress?.({ position: to, head: view.head.number, undone: Math.max(0, state.position - to) });
    return 'moved';
  }
}

function describeReorgBelowFinality({ kept, finalized }: StoredState): string {
  return (
    `The chain was reorganised below block ${kept[0]?.number ?? finalized}, which was final. Nothing was changed. ` +
    'Find out whether the node is on the right chain; see docs/operating/chain.md.'
  );
}
