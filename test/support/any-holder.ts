import type { HolderScope } from '../../packages/server/src/database/transactions/scope.ts';

/** A holder for tests that need any holder. It is in no database unless the test inserts it. */
export const anyHolder: HolderScope = {
  role: 'holder',
  holderId: '019a8f3e-7c00-7000-8000-0000000000aa',
  tokenId: 7,
  walletAddress: `0x${'a'.repeat(40)}`,
};
