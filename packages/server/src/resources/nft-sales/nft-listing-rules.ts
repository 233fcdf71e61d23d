import { toChecksumAddress } from '@keyfront/evm';
import type { NftListing, NftListingPage, NftListingQuery, NftListingSortField } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { getPage } from '../../database/queries/page-rows.ts';
import { readPlanetReference } from '../planets/planet-reference.ts';
import { listNftListings, type NftListingRecord, type NftListingSort } from './nft-listing-queries.ts';
import { buildSaleTypedData, type Marketplace } from './typed-data.ts';

/** Gets one page of what is for sale. It is the same for every caller. */
export async function getNftListingPage(
  database: Database,
  marketplace: Marketplace,
  query: NftListingQuery,
): Promise<NftListingPage> {
  const filter = {
    tokenId: query.tokenId ?? null,
    planet: query.planet ? readPlanetReference(query.planet) : null,
    seller: query.seller?.toLowerCase() ?? null,
    minPrice: query.minPrice || null,
    maxPrice: query.maxPrice || null,
  };
  const sort = readSort(query.orderBy);
  const { items, pageMetaDto } = await getPage(query, (page) =>
    listNftListings(database, filter, sort, page),
  );
  return { listings: items.map((listing) => toListing(listing, marketplace)), pageMetaDto };
}

function readSort(orderBy: NftListingQuery['orderBy']): NftListingSort {
  if (!orderBy) return { field: 'listedAt', direction: 'desc' };
  if (orderBy === 'asc' || orderBy === 'desc') return { field: 'listedAt', direction: orderBy };
  const [field, direction = 'asc'] = orderBy.split(':') as [NftListingSortField, ('asc' | 'desc')?];
  return { field, direction };
}

/** Converts a listing to its response, with the typed data that the seller has signed. */
function toListing(record: NftListingRecord, marketplace: Marketplace): NftListing {
  const { nonce: _nonce, ...listing } = record;
  return {
    ...listing,
    seller: toChecksumAddress(listing.seller),
    typedData: buildSaleTypedData('Listing', record, marketplace),
  };
}
