import type { Sale, SalePage, SaleStage } from '@keyfront/sdk';

/** A sale on its way to another stage. */
export interface SaleMove {
  readonly sale: Sale;
  readonly stage: SaleStage;
}

/** A column of the board, as far as it is loaded, as it is when the sales have arrived: without those that leave it, and with those that come on top. */
export function moveSales(
  pages: readonly SalePage[],
  columnStage: SaleStage,
  moves: readonly SaleMove[],
): { readonly sales: readonly Sale[]; readonly count: number } {
  let sales = pages.flatMap((page) => page.sales);
  let count = pages[0]?.pageMetaDto.itemCount ?? 0;
  for (const { sale, stage } of moves) {
    const others = sales.filter(({ id }) => id !== sale.id);
    const isGoal = stage === columnStage;
    // The service may have told of the move already.
    count += (isGoal ? 1 : 0) - (sales.length - others.length);
    sales = isGoal ? [{ ...sale, stage }, ...others] : others;
  }
  return { sales, count };
}
