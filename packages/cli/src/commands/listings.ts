import type { NftListing, NftListingQuery } from '@keyfront/sdk';
import { type Command, Option } from 'commander';
import { listChoices } from '../api-catalogue.ts';
import type { Context } from '../context.ts';
import { type ConnectionOptions, openClient } from '../create-client.ts';
import { withFlagNames } from '../flag-names.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { withConnection, withDescription, withExamples, withJson } from './shared-options.ts';

interface ListingsOptions extends ConnectionOptions {
  readonly planet?: string;
  readonly token?: string;
  readonly seller?: string;
  readonly minPrice?: string;
  readonly maxPrice?: string;
  readonly sort?: NonNullable<NftListingQuery['orderBy']>;
  readonly json?: true;
}

const flags = {
  planet: '--planet',
  tokenId: '--token',
  seller: '--seller',
  minPrice: '--min-price',
  maxPrice: '--max-price',
  orderBy: '--sort',
};

/** Seller and ID are never cut, because a purchase needs all of them. */
const columns: readonly Column<NftListing>[] = [
  { title: 'TOKEN', cell: ({ tokenId }) => String(tokenId) },
  { title: 'PLANET', cell: ({ planet }) => planet.name, minWidth: 8, leaveOutRank: 1 },
  { title: 'PRICE', cell: ({ price, currency }) => `${price} ${currency}` },
  {
    title: 'EXPIRES',
    cell: ({ expiresAt }) => expiresAt,
    shortCell: ({ expiresAt }) => expiresAt.slice(0, 10),
    leaveOutRank: 2,
  },
  { title: 'SELLER', cell: ({ seller }) => seller },
  { title: 'SALE', cell: ({ id }) => id },
];

/** `keyfront listings`: shows the digital keys that are for sale. */
export function addListings(program: Command, context: Context): void {
  const command = program
    .command('listings')
    .option('--planet <planet>', 'only digital keys of this planet: number, name or id')
    .option('--token <id>', 'only the listing of this digital key')
    .option('--seller <address>', 'only listings of this wallet')
    .option('--min-price <price>', 'only this price or a higher one, such as 0.5')
    .option('--max-price <price>', 'only this price or a lower one')
    .addOption(new Option('--sort <order>', 'sort order').choices(listChoices('listNftListings', 'orderBy')))
    .action((options: ListingsOptions) => showListings(context, options));
  withDescription(
    command,
    'List the digital keys that are for sale',
    'Shows the listed sales of all holders, newest first. --json adds what a wallet needs to buy one.',
  );
  withJson(command);
  withConnection(command, context);
  withExamples(
    command,
    context,
    'keyfront listings',
    'keyfront listings --planet 7 --max-price 2 --sort price',
  );
}

async function showListings(context: Context, options: ListingsOptions): Promise<void> {
  const { planet, token, seller, minPrice, maxPrice, sort } = options;
  const { stdout, stderr, signal } = context;
  const keyfront = await openClient(context, options);
  const query = {
    ...(planet && { planet }),
    ...(token && { tokenId: token }),
    ...(seller && { seller }),
    ...(minPrice && { minPrice }),
    ...(maxPrice && { maxPrice }),
    ...(sort && { orderBy: sort }),
  };
  const listings: NftListing[] = [];
  await withFlagNames(flags, async () => {
    for await (const listing of keyfront.nftListings.list(query, { signal })) listings.push(listing);
  });
  if (options.json) stdout.write(`${compactJson(listings)}\n`);
  else if (listings.length > 0) stdout.write(formatTable(columns, listings, stdout));
  else stderr.write('Nothing is for sale.\n');
}
