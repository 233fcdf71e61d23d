import { describe, expect, it } from 'vitest';
import { createHarness, failure, success } from '../../test/cli-harness.ts';

const listing = {
  id: '019a8f3e-7c00-7000-8000-000000000601',
  tokenId: 1001,
  planet: { number: 7, name: 'Verdane' },
  seller: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  price: '1.5',
  currency: 'ETH',
  listedAt: '2026-11-15T09:32:00.000Z',
  expiresAt: '2026-12-15T09:30:00.000Z',
  typedData: { primaryType: 'Listing' },
  signature: '0x5c',
};
const pageOf = (listings: object[]) => ({
  listings,
  pageMetaDto: {
    page: 1,
    take: 100,
    itemCount: listings.length,
    pageCount: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  },
});

describe('keyfront listings', () => {
  it('prints a table', async () => {
    const { code, stdout } = await createHarness({ respond: () => success(pageOf([listing])) }).run(
      'listings',
    );
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['TOKEN', 'PLANET', 'PRICE', 'EXPIRES', 'SELLER', 'SALE'],
      ['1001', 'Verdane', '1.5 ETH', listing.expiresAt, listing.seller, listing.id],
      [''],
    ]);
  });

  it('prints JSON with the signature', async () => {
    const harness = createHarness({ respond: () => success(pageOf([listing])) });
    expect(JSON.parse((await harness.run('listings', '--json')).stdout)).toEqual([listing]);
  });

  it('sends the filters, and says when nothing is for sale', async () => {
    const harness = createHarness({ respond: () => success(pageOf([])) });
    const filters = ['--planet', '7', '--token', '1001', '--seller', listing.seller];
    const prices = ['--min-price', '0.5', '--max-price', '2', '--sort', 'price:desc'];
    const { code, stdout, stderr } = await harness.run('listings', ...filters, ...prices);
    expect([code, stdout, stderr]).toEqual([0, '', 'Nothing is for sale.\n']);
    const { pathname, searchParams } = new URL(harness.requests.at(-1)?.target ?? '', 'http://localhost');
    expect(pathname).toBe('/marketplace/nfts/listings');
    expect(Object.fromEntries(searchParams)).toMatchObject({
      planet: '7',
      tokenId: '1001',
      seller: listing.seller,
      minPrice: '0.5',
      maxPrice: '2',
      orderBy: 'price:desc',
    });
  });

  it('names the option that the service refuses', async () => {
    const issue = 'maxPrice must be a decimal number with at most 18 decimals, such as 1.5';
    const harness = createHarness({ respond: () => failure(400, 'Validation failed', { data: [issue] }) });
    const { code, stderr } = await harness.run('listings', '--max-price', '1,5');
    expect(code).toBe(4);
    expect(stderr).toContain(issue.replace('maxPrice', '--max-price'));
  });
});
