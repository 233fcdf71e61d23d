import type { SaleStage } from '@keyfront/sdk';
import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/sales.ts';
import type { SaleMove } from './move-sale.ts';
import { nameSale } from './name-sale.ts';
import { SaleColumn } from './sale-column.tsx';
import classes from './sales-page.module.css';
import { stages } from './stages.ts';

const mutationKey = ['sales', 'move'];

/** Sales as a board: a sale is moved by dragging it, or with the arrow keys. */
export function SalesPage() {
  const queryClient = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  const [movedId, setMovedId] = useState<string | null>(null);
  const move = useMutation({
    mutationKey,
    // One after the other, so that a sale that is moved twice ends where it was moved last.
    scope: { id: 'sales' },
    mutationFn: ({ sale, stage }: SaleMove) => getKeyfront().sales.update(sale.id, { stage }),
    // Under way until the columns have been loaded again: until then, the sale would be back where it was.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['sales'] }),
    onError: (error) => {
      showFailure(texts.saleWasNotMoved, error);
      void queryClient.invalidateQueries({ queryKey: ['sales'] });
    },
  });
  // Shown where they go at once, and back with the reason if the service refuses.
  const moves = useMutationState({
    filters: { mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as SaleMove,
  });
  return (
    <>
      <PageHeader title={texts.sales} description={texts.dragSaleToAnotherStageOr} />
      <div className="visually-hidden" role="status">
        {announcement}
      </div>
      <div className={classes.board}>
        {(Object.keys(stages) as SaleStage[]).map((stage) => (
          <SaleColumn
            key={stage}
            stage={stage}
            moves={moves}
            movedId={movedId}
            onMove={(sale, to) => {
              setMovedId(sale.id);
              setAnnouncement(texts.saleOfSaleIsNowIn(nameSale(sale), stages[to].title));
              move.mutate({ sale, stage: to });
            }}
          />
        ))}
      </div>
    </>
  );
}
