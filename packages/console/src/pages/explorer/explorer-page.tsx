import { Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/explorer.ts';
import { OperationExplorer } from './operation-explorer.tsx';
import { readOperations } from './read-openapi.ts';

/** Sends any operation of the API, and shows what is sent and what comes back. */
export function ExplorerPage() {
  const { operation: chosenId = 'listOrders' } = useSearch({ from: '/shell/explorer' });
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/api/v1/openapi.json', { signal });
      if (!response.ok) throw new Error(`The description of the API is not there: ${response.status}`);
      return readOperations(await response.json());
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const groups = useMemo(() => groupByTag(data ?? []), [data]);
  const operation = data?.find(({ id }) => id === chosenId);
  return (
    <>
      <PageHeader title={texts.requestExplorer} description={texts.requestsAreSentWithYourSession} />
      {error && (
        <ErrorNotice title={texts.operationsCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton height={420} />}
      {data && (
        <>
          <Select
            label={texts.operation}
            searchable
            allowDeselect={false}
            mb="md"
            maw={560}
            value={operation?.id ?? null}
            onChange={(id) =>
              void navigate({ to: '/explorer', search: { operation: id ?? '' }, replace: true })
            }
            data={groups}
          />
          {operation ? (
            // A key, so that the fields of another operation begin empty.
            <OperationExplorer key={operation.id} operation={operation} />
          ) : (
            <Text c="dimmed">{texts.chooseOperation}</Text>
          )}
        </>
      )}
    </>
  );
}

function groupByTag(operations: ReturnType<typeof readOperations>) {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  return tags.map((tag) => ({
    group: tag,
    items: operations
      .filter((operation) => operation.tag === tag)
      .map(({ id, summary, method, path }) => ({ value: id, label: `${summary} · ${method} ${path}` })),
  }));
}
