import type { Sale, SaleStage } from '@keyfront/sdk';
import { VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { showFailure } from '../../components/toasts.tsx';
import { getKeyfront } from '../../session/keyfront.ts';
import { moveSale, type SaleBoard } from './move-sale.ts';
import { SaleColumn } from './sale-column.tsx';
import classes from './sales-page.module.css';
import { stages } from './stages.ts';

/** Sales as a board: a sale is moved by dragging it, or with the arrow keys. */
export function SalesPage() {
  const queryClient = useQueryClient();
  const [announcement, setAnnouncement] = useState('');
  const [movedId, setMovedId] = useState<string | null>(null);
  const move = useMutation({
    mutationFn: ({ sale, stage }: { sale: Sale; stage: SaleStage }) =>
      getKeyfront().sales.update(sale.id, { stage }),
    // Moved at once, and back with the reason if the service refuses.
    onMutate: async ({ sale, stage }) => {
      await queryClient.cancelQueries({ queryKey: ['sales', 'stage'] });
      const before = queryClient.getQueriesData<SaleBoard>({ queryKey: ['sales', 'stage'] });
      for (const [key, column] of before) {
        if (column) queryClient.setQueryData(key, moveSale(column, key[2] as SaleStage, sale, stage));
      }
      setAnnouncement(`Moved to ${stages[stage].title}`);
      return { before };
    },
    onError: (error, _variables, context) => {
      for (const [key, column] of context?.before ?? []) queryClient.setQueryData(key, column);
      showFailure('The sale was not moved', error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sales'] }),
  });
  return (
    <>
      <PageHeader
        title="Sales"
        description="Drag a sale to another stage, or choose it and press the left or right arrow key"
      />
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
      <div className={classes.board}>
        {(Object.keys(stages) as SaleStage[]).map((stage) => (
          <SaleColumn
            key={stage}
            stage={stage}
            movedId={movedId}
            onMove={(sale, to) => {
              setMovedId(sale.id);
              move.mutate({ sale, stage: to });
            }}
          />
        ))}
      </div>
    </>
  );
}
