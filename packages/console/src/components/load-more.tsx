import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';

interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}

/** Loads the next page when a visitor comes near the end, or presses the button. */
export function LoadMore({ hasMore, isLoading, onLoad }: LoadMoreProps) {
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const isNear = entry?.isIntersecting ?? false;
  // Only the position of the visitor starts it, and never twice at a time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above.
  useEffect(() => {
    if (isNear && hasMore && !isLoading) onLoad();
  }, [isNear, hasMore, isLoading]);
  if (!hasMore) return null;
  return (
    <Center ref={ref} mt="lg">
      <Button variant="default" loading={isLoading} onClick={onLoad}>
        Load more
      </Button>
    </Center>
  );
}
