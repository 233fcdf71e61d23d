import type { Sale, SalePage, SaleStage } from '@keyfront/sdk';
import type { InfiniteData } from '@tanstack/react-query';

/** A column of the board, as far as it is loaded. */
export type SaleBoard = InfiniteData<SalePage, number>;

/** A column after a sale has moved to a stage: without it, or with it on top. */
export function moveSale(column: SaleBoard, columnStage: SaleStage, sale: Sale, stage: SaleStage): SaleBoard {
  const moved = { ...sale, stage };
  const isGoal = columnStage === stage;
  return {
    ...column,
    pages: column.pages.map((page, index) => {
      const others = page.sales.filter(({ id }) => id !== sale.id);
      const change = isGoal ? 1 : columnStage === sale.stage ? -1 : 0;
      return {
        ...page,
        sales: isGoal && index === 0 ? [moved, ...others] : others,
        pageMetaDto: { ...page.pageMetaDto, itemCount: page.pageMetaDto.itemCount + change },
      };
    }),
  };
}
