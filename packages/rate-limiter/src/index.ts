export { addressKey } from './address-key.ts';
export type { Counter, Decision } from './counter.ts';
export { type Grant, Ledger, type LedgerLink, type LedgerMessage } from './ledger.ts';
export { MemoryCounter } from './memory-counter.ts';
export { definePolicy, type Policy } from './policy.ts';
export { RedisCounter } from './redis-counter.ts';
export { SharedCounter } from './shared-counter.ts';
