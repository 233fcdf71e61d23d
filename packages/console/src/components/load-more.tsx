import { Button, Center } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useEffect } from 'react';
import { texts } from '../texts/components.ts';

/** The part of an infinite query that loads further pages. */
export interface PagedQuery {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

/** Loads the next page when a visitor comes near the end, or presses the button. */
export function LoadMore({ query }: { readonly query: PagedQuery }) {
  const { hasNextPage: hasMore, isFetchingNextPage: isLoading } = query;
  const onLoad = () => void query.fetchNextPage();
  const { ref, entry } = useIntersection({ rootMargin: '400px' });
  const isNear = entry?.isIntersecting ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the position of the visitor starts it, and never twice at a time.
  useEffect(() => {
    if (isNear && hasMore && !isLoading) onLoad();
  }, [isNear, hasMore, isLoading]);
  if (!hasMore) return null;
  return (
    <Center ref={ref} mt="lg">
      <Button variant="default" loading={isLoading} onClick={onLoad}>
        {texts.loadMore}
      </Button>
    </Center>
  );
}
