import type { Sale, SaleStage } from '@keyfront/sdk';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { numberedPages } from '../../paging/next-page.ts';
import { getKeyfront } from '../../session/keyfront.ts';
import { texts } from '../../texts/sales.ts';
import { draggedSale } from './dragged-sale.ts';
import { moveSales, type SaleMove } from './move-sale.ts';
import { SaleCard } from './sale-card.tsx';
import classes from './sale-column.module.css';
import { stages } from './stages.ts';

interface SaleColumnProps {
  readonly stage: SaleStage;
  /** Sales on their way, in the order in which they were moved. */
  readonly moves: readonly SaleMove[];
  /** The sale that was moved last. */
  readonly movedId: string | null;
  readonly onMove: (sale: Sale, stage: SaleStage) => void;
}

const pageSize = 20;

/** The sales of one stage. The one that changed last is on top. */
export function SaleColumn({ stage, moves, movedId, onMove }: SaleColumnProps) {
  const titleId = useId();
  const [isOver, setIsOver] = useState(false);
  const query = useInfiniteQuery({
    queryKey: ['sales', 'stage', stage],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().sales.list(
        { stage, orderBy: 'updatedAt:desc', take: pageSize, page: pageParam },
        { signal },
      ),
    ...numberedPages,
  });
  const column = query.data && moveSales(query.data.pages, stage, moves);
  return (
    <section
      className={classes.column}
      aria-labelledby={titleId}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (draggedSale.current && draggedSale.current.stage !== stage) {
          event.preventDefault();
          setIsOver(true);
        }
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        if (draggedSale.current) onMove(draggedSale.current, stage);
      }}
    >
      <div className={classes.head}>
        <Title order={2} size="h6" id={titleId}>
          {stages[stage].title}
        </Title>
        <span className={classes.count}>{column ? formatNumber(column.count) : ''}</span>
      </div>
      {query.error && !column && <ErrorNotice title={texts.salesCouldNotBeLoaded} error={query.error} />}
      <Stack gap={8}>
        {!column && !query.error && [1, 2, 3].map((key) => <Skeleton key={key} height={84} />)}
        {column?.sales.length === 0 && (
          <Text size="sm" c="dimmed" className={classes.hint}>
            {stages[stage].hint}
          </Text>
        )}
        {column?.sales.map((sale) => (
          <SaleCard
            key={sale.id}
            sale={sale}
            isMoved={sale.id === movedId}
            onMove={(to) => onMove(sale, to)}
          />
        ))}
        {query.hasNextPage && (
          <Button
            variant="subtle"
            size="xs"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {texts.loadMore}
          </Button>
        )}
      </Stack>
    </section>
  );
}
