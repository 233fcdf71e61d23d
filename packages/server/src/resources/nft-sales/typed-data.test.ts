import { cancellationTypedData, listingTypedData, saleIdBytes } from '@keyfront/contracts';
import fc from 'fast-check';
import { type Hex, hashTypedData } from 'viem';
import { describe, expect, it } from 'vitest';
import { buildSaleTypedData, hashSaleTypedData, type SaleTerms } from './typed-data.ts';

const terms: SaleTerms = {
  id: '019a8f3e-7c00-7000-8000-000000000601',
  tokenId: 1001,
  seller: '0x71c7656ec7ab88b098defb751b7401b5f6d8976f',
  nonce: 3,
  price: '1.5',
  expiresAt: '2026-12-15T09:30:00.999Z',
};
const marketplace = { chainId: 1, contract: '0x52908400098527886e0f7030069857d2e4169ee7' };

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => Buffer.from(array).toString('hex'));
const address = hexOf(20).map((digits): Hex => `0x${digits}`);
const wei = fc.bigInt({ min: 1n, max: 10n ** 36n - 1n });
const anySale = fc.record({
  id: fc.uuid(),
  tokenId: fc.maxSafeNat(),
  seller: address,
  nonce: fc.maxSafeNat(),
  wei,
  expiry: fc.integer({ min: 0, max: 253_402_300_799 }),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  contract: address,
});

/** 1500000000000000000 as 1.500000000000000000, without any library. */
function writeEther(amount: bigint): string {
  const digits = amount.toString().padStart(19, '0');
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`;
}

describe('the typed data of a sale', () => {
  it('is what wallets take for eth_signTypedData_v4', () => {
    expect(buildSaleTypedData('Listing', terms, marketplace)).toEqual({
      domain: {
        name: 'Keyfront Marketplace',
        version: '2',
        chainId: 1,
        verifyingContract: '0x52908400098527886E0F7030069857D2E4169EE7',
      },
      types: {
        EIP712Domain: [
          { name: 'name', type: 'string' },
          { name: 'version', type: 'string' },
          { name: 'chainId', type: 'uint256' },
          { name: 'verifyingContract', type: 'address' },
        ],
        Listing: [
          { name: 'saleId', type: 'bytes16' },
          { name: 'owner', type: 'address' },
          { name: 'tokenId', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'price', type: 'uint256' },
          { name: 'expiry', type: 'uint256' },
        ],
      },
      primaryType: 'Listing',
      message: {
        saleId: '0x019a8f3e7c0070008000000000000601',
        owner: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
        tokenId: '1001',
        nonce: '3',
        price: '1500000000000000000',
        // Of the second that has begun: the contract would not take the next one.
        expiry: '1797327000',
      },
    });
    expect(buildSaleTypedData('Cancellation', terms, marketplace)).toMatchObject({
      types: { Cancellation: [{ name: 'saleId' }, {}, {}, {}, {}, {}] },
      primaryType: 'Cancellation',
    });
  });

  it('hashes as the contracts have it, whatever the sale', { tags: ['long'] }, async () => {
    await fc.assert(
      fc.asyncProperty(anySale, async ({ wei: price, expiry, chainId, contract, ...sale }) => {
        const offered = {
          ...sale,
          price: writeEther(price),
          expiresAt: new Date(expiry * 1000).toISOString(),
        };
        const theirDomain = { chainId, verifyingContract: contract };
        const theirs = {
          saleId: saleIdBytes(sale.id),
          owner: sale.seller,
          tokenId: BigInt(sale.tokenId),
          nonce: BigInt(sale.nonce),
          price,
          expiry: BigInt(expiry),
        };
        expect(await hashSaleTypedData('Listing', offered, { chainId, contract })).toBe(
          hashTypedData(listingTypedData(theirDomain, theirs)),
        );
        expect(await hashSaleTypedData('Cancellation', offered, { chainId, contract })).toBe(
          hashTypedData(cancellationTypedData(theirDomain, theirs)),
        );
      }),
    );
  });

  it('hashes alike from the JSON that a wallet gets', async () => {
    await fc.assert(
      fc.asyncProperty(anySale, fc.constantFrom('Listing', 'Cancellation'), async (sale, step) => {
        const { wei: price, expiry, chainId, contract, ...rest } = sale;
        const offered = {
          ...rest,
          price: writeEther(price),
          expiresAt: new Date(expiry * 1000).toISOString(),
        };
        const json = JSON.stringify(buildSaleTypedData(step, offered, { chainId, contract }));
        expect(hashTypedData(JSON.parse(json))).toBe(
          await hashSaleTypedData(step, offered, { chainId, contract }),
        );
      }),
    );
  });

  it('binds everything that is agreed', async () => {
    const hashes = await Promise.all([
      hashSaleTypedData('Listing', terms, marketplace),
      hashSaleTypedData('Cancellation', terms, marketplace),
      hashSaleTypedData('Listing', { ...terms, id: '019a8f3e-7c00-7000-8000-000000000602' }, marketplace),
      hashSaleTypedData('Listing', { ...terms, tokenId: 1002 }, marketplace),
      hashSaleTypedData('Listing', { ...terms, nonce: 4 }, marketplace),
      hashSaleTypedData('Listing', { ...terms, seller: marketplace.contract }, marketplace),
      hashSaleTypedData('Listing', { ...terms, price: '1.500000000000000001' }, marketplace),
      hashSaleTypedData('Listing', { ...terms, expiresAt: '2026-12-15T09:30:01.000Z' }, marketplace),
      hashSaleTypedData('Listing', terms, { ...marketplace, chainId: 10 }),
      hashSaleTypedData('Listing', terms, { ...marketplace, contract: terms.seller }),
    ]);
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
