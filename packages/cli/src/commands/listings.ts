import type { Keyfront, NftListing, NftListingQuery } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { openClient } from '../create-client.ts';
import { makeListCommand } from '../lists/list-command.ts';
import type { Column } from '../terminal/table.ts';
import { withDescription, withExamples } from './shared-options.ts';

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
  const command = program.command('listings');
  withDescription(
    command,
    'List the digital keys that are for sale',
    'Shows the listed sales of all holders, newest first. --json adds what a wallet needs to buy one.',
  );
  makeListCommand<NftListing, NftListingQuery, Keyfront>(command, context, {
    operation: 'listNftListings',
    names: { tokenId: 'token', orderBy: 'sort' },
    columns,
    nothing: 'Nothing is for sale.',
    list: (keyfront, query, options) => keyfront.nftListings.list(query, options),
    open: openClient,
  });
  withExamples(
    command,
    context,
    'keyfront listings',
    'keyfront listings --planet 7 --max-price 2 --sort price',
  );
}
