import type { FacetValue, Keyfront, Strain, StrainFacets, StrainListQuery } from '@keyfront/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { openClient } from '../create-client.ts';
import { type ListRequest, makeListCommand } from '../lists/list-command.ts';
import { printItems, type ReadItems } from '../lists/paging.ts';
import { compactJson } from '../terminal/pretty-json.ts';
import { type Column, formatTable } from '../terminal/table.ts';
import { withDescription, withExamples } from './shared-options.ts';

/** The ID is never cut, because a cart needs all of it. */
const columns: readonly Column<Strain>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'NAME', cell: ({ name }) => name, minWidth: 10 },
  { title: 'TYPE', cell: ({ type }) => type, leaveOutRank: 2 },
  { title: 'THC', cell: ({ thc }) => `${thc} %`, leaveOutRank: 3 },
  { title: 'PRICE', cell: ({ retailPrice, currency }) => `${retailPrice.toFixed(2)} ${currency}` },
  { title: 'STOCK', cell: ({ stockQuantity }) => String(stockQuantity), leaveOutRank: 1 },
  { title: 'PLANET', cell: ({ planet }) => planet.name, minWidth: 8, leaveOutRank: 4 },
];

const nothing = 'No strains.';

/** `keyfront strains list`: shows the catalogue. */
export function addStrains(program: Command, context: Context): void {
  const strains = program.command('strains');
  withDescription(strains, 'List the strains of the catalogue');
  const list = strains.command('list');
  withDescription(
    list,
    'List strains',
    'Price and stock are those of --country-code. Separate several values of a filter by commas: a strain matches if it has one of them.',
  );
  makeListCommand<Strain, StrainListQuery, Keyfront>(list, context, {
    operation: 'listStrains',
    columns,
    nothing,
    list: (keyfront, query, options) => keyfront.strains.list(query, options),
    open: openClient,
    print: printStrains,
  });
  const examples = [
    'keyfront strains list --search saffron --is-available',
    'keyfront strains list --country-code PRT --price-max 50 --order-by retailPrice',
    'keyfront strains list --type INDICA,HYBRID --helps-with sleep --facets',
  ];
  withExamples(strains, context, ...examples);
  withExamples(list, context, ...examples);
}

async function printStrains(
  context: Context,
  read: ReadItems<Strain>,
  { api: keyfront, query, isJson }: ListRequest<StrainListQuery, Keyfront>,
): Promise<void> {
  const { stdout, signal } = context;
  const { facets } =
    query.facets === 'true' ? await keyfront.strains.list({ ...query, take: 1 }, { signal }) : {};
  if (!facets) printItems(context, read, { columns, nothing, isJson });
  else if (isJson) stdout.write(`${compactJson({ strains: read.items, facets })}\n`);
  else {
    printItems(context, read, { columns, nothing, isJson });
    stdout.write(`\n${formatTable(facetColumns, Object.entries(facets), stdout)}`);
  }
}

type Facet = StrainFacets[keyof StrainFacets];

const facetColumns: readonly Column<[string, Facet]>[] = [
  { title: 'FACET', cell: ([name]) => name },
  { title: 'STRAINS', cell: ([, facet]) => describeFacet(facet), minWidth: 20 },
];

function describeFacet(facet: Facet): string {
  if (!Array.isArray(facet)) return facet.min === null ? '-' : `${facet.min} to ${facet.max}`;
  return facet.map(({ value, count }: FacetValue) => `${value} ${count}`).join(', ') || '-';
}
