export { type ChainEvent, makeTransferKey, mapCompletedSales } from './chain-event.ts';
export {
  type AskNode,
  askNodeAt,
  type ChainSource,
  openChainSource,
  type TimedBlock,
} from './chain-source.ts';
export { type ChainView, findAncestor, type LightBlock, planStep, type ReaderState } from './plan-step.ts';
export { readLogs, type WatchedContracts } from './read-logs.ts';
