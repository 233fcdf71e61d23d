interface NumberedPage {
  readonly pageMetaDto: { readonly page: number; readonly hasNextPage: boolean };
}

interface CursorPage {
  readonly pageMetaDto: { readonly nextCursor: string | null };
}

/** The paging of a list whose pages have numbers. */
export const numberedPages = {
  initialPageParam: 1,
  getNextPageParam: ({ pageMetaDto }: NumberedPage) =>
    pageMetaDto.hasNextPage ? pageMetaDto.page + 1 : null,
};

/** The paging of a list whose pages follow a cursor. The first page has none. */
export const cursorPages = {
  initialPageParam: '',
  getNextPageParam: ({ pageMetaDto }: CursorPage) => pageMetaDto.nextCursor,
};
