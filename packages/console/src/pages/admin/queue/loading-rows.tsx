import { Stack } from '@mantine/core';
import { Skeleton } from '../../../components/skeleton.tsx';

/** Stands in place of rows that are on their way. */
export function LoadingRows() {
  return (
    <Stack p="md">
      {[1, 2, 3, 4, 5, 6].map((key) => (
        <Skeleton key={key} height={48} />
      ))}
    </Stack>
  );
}
