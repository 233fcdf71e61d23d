import { type Static, Type } from 'typebox';

export const defaultTake = 10;
export const maximumTake = 1000;
// Far beyond any list, and small enough that the offset stays exact.
const maximumPage = 2_147_483_647;

/** The query of every list that has pages. */
export const pageQueryFields = {
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maximumPage, default: 1, description: 'Which page, from 1' }),
  ),
  take: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maximumTake,
      default: defaultTake,
      description: 'How many items a page holds',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maximumTake,
      description: 'Another name of `take`, which wins over it',
    }),
  ),
};

export interface PageRequest {
  readonly page: number;
  readonly take: number;
}

/** The page a query asks for, with its defaults. */
export function pageRequest(query: { page?: number; take?: number; limit?: number }): PageRequest {
  return { page: query.page ?? 1, take: query.take ?? query.limit ?? defaultTake };
}

/** How many items come before the page. */
export function pageOffset({ page, take }: PageRequest): number {
  return (page - 1) * take;
}

export const PageMeta = Type.Object({
  page: Type.Integer({ examples: [1] }),
  take: Type.Integer({ examples: [10] }),
  itemCount: Type.Integer({ description: 'How many items there are on all pages', examples: [60] }),
  pageCount: Type.Integer({ examples: [6] }),
  hasPreviousPage: Type.Boolean({ examples: [false] }),
  hasNextPage: Type.Boolean({ examples: [true] }),
});
export type PageMeta = Static<typeof PageMeta>;

/** What stands beside a page of a list that has `itemCount` items. */
export function pageMeta({ page, take }: PageRequest, itemCount: number): PageMeta {
  const pageCount = Math.ceil(itemCount / take);
  return {
    page,
    take,
    itemCount,
    pageCount,
    hasPreviousPage: page > 1,
    hasNextPage: page < pageCount,
  };
}
