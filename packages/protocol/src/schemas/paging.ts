import { type Static, Type } from 'typebox';
import { Alias, FormerName, Nullable } from './values.ts';

export const defaultTake = 10;
export const maximumTake = 1000;
// Larger than any list, and small enough that the offset stays an exact integer.
const maximumPage = 2_147_483_647;

const takeField = { minimum: 1, maximum: maximumTake };

/** The query parameters of every paged list. */
export const pageQueryFields = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maximumPage, default: 1, description: 'Page number, starting at 1' }),
  ),
  take: Type.Optional(
    Type.Integer({ ...takeField, default: defaultTake, description: 'Number of items per page' }),
  ),
  limit: Alias('take', Type.Integer(takeField)),
};

export interface PageRequest {
  readonly page: number;
  readonly take: number;
}

/** The page that a query asks for, with defaults. */
export function pageRequest(query: { page?: number; take?: number; limit?: number }): PageRequest {
  return { page: query.page ?? 1, take: query.take ?? query.limit ?? defaultTake };
}

/** The number of items before the page. */
export function pageOffset({ page, take }: PageRequest): number {
  return (page - 1) * take;
}

const itemCount = Type.Integer({ description: 'Number of items on all pages', examples: [60] });

export const PageMeta = Type.Object(
  {
    page: Type.Integer({ description: 'Number of this page', examples: [1] }),
    take: Type.Integer({ description: 'Number of items per page', examples: [10] }),
    itemCount,
    totalCount: FormerName('itemCount', itemCount),
    pageCount: Type.Integer({ description: 'Number of pages', examples: [6] }),
    hasPreviousPage: Type.Boolean({
      description: 'Whether there is a page before this one',
      examples: [false],
    }),
    hasNextPage: Type.Boolean({ description: 'Whether there is a page after this one', examples: [true] }),
  },
  { title: 'PageMeta', description: 'Position of the page in the list' },
);
export type PageMeta = Static<typeof PageMeta>;

export const CursorPageMeta = Type.Object(
  {
    ...PageMeta.properties,
    nextCursor: Nullable(
      Type.String({ description: 'Pass it as `cursor` to get the next page; null on the last page' }),
    ),
  },
  { title: 'CursorPageMeta', description: 'Position of the page in the list' },
);
export type CursorPageMeta = Static<typeof CursorPageMeta>;

/** The metadata of a page of a list with `itemCount` items. */
export function pageMeta({ page, take }: PageRequest, itemCount: number): PageMeta {
  const pageCount = Math.ceil(itemCount / take);
  return {
    page,
    take,
    itemCount,
    totalCount: itemCount,
    pageCount,
    hasPreviousPage: page > 1,
    hasNextPage: page < pageCount,
  };
}
