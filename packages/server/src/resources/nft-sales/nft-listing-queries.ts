import { statement } from '@keyfront/postgres';
import { type NftListing, type NftListingSortField, type PageRequest, pageOffset } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { PageRow } from '../../database/queries/page-rows.ts';
import { type PlanetReference, toPlanetValues } from '../planets/planet-reference.ts';

export interface NftListingFilter {
  readonly tokenId: string | null;
  readonly planet: PlanetReference | null;
  /** In lower case. */
  readonly seller: string | null;
  readonly minPrice: string | null;
  readonly maxPrice: string | null;
}

export interface NftListingSort {
  readonly field: NftListingSortField;
  readonly direction: 'asc' | 'desc';
}

/** A row of `nft_listings`, which holds exactly the public part of listed sales. */
export interface NftListingRecord extends Omit<NftListing, 'typedData'> {
  /** In lower case. */
  readonly seller: string;
  /** How often the digital key had changed its owner when the sale was drafted. */
  readonly nonce: number;
}

const composePage = ({ field, direction }: NftListingSort) => {
  const order = `"${field}" ${direction}, id ${direction}`;
  return statement<PageRow<NftListingRecord>>(
    `nft-listings.page-by-${field}-${direction}`,
    `WITH matching AS NOT MATERIALIZED (
       SELECT nft_listings.sale_id AS id, nft_listings.token_id AS "tokenId", nft_listings.seller_address AS seller,
         nft_listings.price, nft_listings.currency, nft_listings.nonce, nft_listings.signature,
         nft_listings.listed_at AS "listedAt", nft_listings.expires_at AS "expiresAt", planets.number, planets.name
       FROM nft_listings JOIN planets ON planets.id = nft_listings.planet_id
       WHERE nft_listings.expires_at >= now()
         AND ($1::bigint IS NULL OR nft_listings.token_id = $1)
         AND ($2::int IS NULL OR planets.number = $2)
         AND ($3::uuid IS NULL OR planets.id = $3)
         AND ($4::text IS NULL OR lower(planets.name) = lower($4))
         AND ($5::text IS NULL OR nft_listings.seller_address = $5)
         AND ($6::numeric IS NULL OR nft_listings.price >= $6)
         AND ($7::numeric IS NULL OR nft_listings.price <= $7)
     )
     SELECT total.count AS "itemCount", page.id, page."tokenId", page.seller, trim_scale(page.price)::text AS price, page.currency,
       page.nonce, '0x' || encode(page.signature, 'hex') AS signature, page."listedAt", page."expiresAt",
       json_build_object('number', page.number, 'name', page.name) AS planet
     FROM (SELECT count(*) FROM matching) AS total
     LEFT JOIN (SELECT * FROM matching ORDER BY ${order} LIMIT $8 OFFSET $9) AS page ON true
     ORDER BY page."${field}" ${direction}, page.id ${direction}`,
  );
};

const composeBoth = (field: NftListingSortField) => ({
  asc: composePage({ field, direction: 'asc' }),
  desc: composePage({ field, direction: 'desc' }),
});
const pages = {
  listedAt: composeBoth('listedAt'),
  expiresAt: composeBoth('expiresAt'),
  price: composeBoth('price'),
  tokenId: composeBoth('tokenId'),
};

/** Lists one page of the listings of all holders, with the total count. */
export function listNftListings(
  database: Database,
  { tokenId, planet, seller, minPrice, maxPrice }: NftListingFilter,
  { field, direction }: NftListingSort,
  page: PageRequest,
): Promise<PageRow<NftListingRecord>[]> {
  const filter = [tokenId, ...toPlanetValues(planet), seller, minPrice, maxPrice];
  return database.queryShared(pages[field][direction], [...filter, page.take, pageOffset(page)]);
}
