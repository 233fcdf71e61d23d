import { describe, expect, it } from 'vitest';
import { generateDemo } from './generate-demo.ts';

const demo = generateDemo({
  seed: 20,
  today: new Date('2026-11-15T00:00:00.000Z'),
  makeInvoiceNumber: (pickBelow) => String(pickBelow(2 ** 32)),
});

describe('the marketplace of the demo', () => {
  it('leads every digital key to the holder who has it', () => {
    for (const { tokenId, holderId, acquiredAt } of demo.digitalKeys) {
      const path = demo.transactions
        .filter((transaction) => transaction.tokenId === tokenId && transaction.toHolder !== null)
        .sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));
      expect(path[0]).toMatchObject({ type: 'MINT', fromHolder: null });
      path.slice(1).forEach((step, index) => {
        expect(step.fromHolder).toBe(path[index]?.toHolder);
      });
      const last = path.at(-1);
      expect(demo.holders[last?.toHolder ?? -1]?.id).toBe(holderId);
      expect(last?.occurredAt).toBe(acquiredAt);
    }
  });

  it('signs what was listed, and opens at most one sale per digital key', () => {
    const open = demo.nftSales.filter(({ state }) => state === 'DRAFT' || state === 'LISTED');
    expect(new Set(open.map(({ tokenId }) => tokenId)).size).toBe(open.length);
    for (const sale of demo.nftSales) {
      if (sale.state === 'DRAFT' || sale.state === 'LISTED') expect(sale.listingSignature).toBeNull();
      else expect(sale.listingSignature).toMatch(/^[0-9a-f]{130}$/);
      expect(sale.cancellationSignature !== null).toBe(sale.state === 'CANCELLED');
      expect(sale.expiresAt > sale.updatedAt).toBe(true);
    }
  });

  it('sells from the seller to the buyer, for the price that was asked', () => {
    for (const sale of demo.nftSales) {
      const ofSale = demo.transactions.filter(({ saleId }) => saleId === sale.id);
      const types = {
        DRAFT: [],
        LISTED: ['LIST'],
        CANCELLED: ['LIST', 'LIST_CANCEL'],
        SOLD: ['LIST', 'SALE'],
      };
      expect(ofSale.map(({ type }) => type)).toEqual(types[sale.state]);
      for (const transaction of ofSale) {
        expect(demo.holders[transaction.fromHolder ?? -1]?.id).toBe(sale.sellerId);
        if (transaction.type !== 'LIST_CANCEL') expect(transaction.price).toBe(sale.price);
      }
    }
  });

  it('puts on the chain what happened there, later things into later blocks', () => {
    const onChain = demo.transactions.filter(({ chainId }) => chainId !== null);
    expect(new Set(onChain.map(({ type }) => type))).toEqual(new Set(['MINT', 'TRANSFER', 'SALE']));
    const byTime = [...onChain].sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));
    const blocks = byTime.map(({ blockNumber }) => blockNumber ?? -1);
    expect(blocks).toEqual([...blocks].sort((one, other) => one - other));
    for (const { txHash } of onChain) expect(txHash).toMatch(/^0x[0-9a-f]{64}$/);
    for (const { type, txHash, blockNumber } of demo.transactions) {
      if (type === 'LIST' || type === 'LIST_CANCEL') expect([txHash, blockNumber]).toEqual([null, null]);
    }
  });
});
