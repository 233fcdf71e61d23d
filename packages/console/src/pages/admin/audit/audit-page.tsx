import { Stack } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { choiceField } from '../../../filters/fields.tsx';
import { FilterBar } from '../../../filters/filter-bar.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import type { ChangeFilters } from '../../../filters/filter-field.ts';
import { removeAbsent } from '../../../filters/read-filter.ts';
import { SearchField } from '../../../filters/search-field.tsx';
import { numberedPages } from '../../../paging/next-page.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-audit.ts';
import { type AuditFilters, auditSubjects, filterByText, readAuditFilters } from './audit-filters.ts';
import { AuditRow } from './audit-row.tsx';
import { findSubject } from './find-subject.ts';

const pageSize = 30;

/** Who has changed what. */
export function AuditPage() {
  const filters = useSearch({ from: '/shell/admin/audit' });
  const navigate = useNavigate();
  const setFilters = (next: AuditFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/audit', search: next, ...filterEntry(typedFilter) });
  const change: ChangeFilters = (changed, typedFilter) =>
    setFilters(readAuditFilters({ ...filters, ...changed }), typedFilter);
  const { subject, search } = filters;
  const found = useQuery(findSubject(search));
  const isUnknown = found.data === null;
  const subjectId = search === undefined ? filters.subjectId : found.data;
  const query = useInfiniteQuery({
    queryKey: ['admin', 'audit', subject, subjectId],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().admin.audit.list(
        { ...removeAbsent({ subject, subjectId }), take: pageSize, page: pageParam },
        { signal },
      ),
    enabled: search === undefined || typeof found.data === 'string',
    ...numberedPages,
    placeholderData: keepPreviousData,
  });
  const entries = isUnknown ? [] : query.data?.pages.flatMap((page) => page.entries);
  const error = found.error ?? query.error;
  return (
    <>
      <PageHeader title={texts.auditLog} description={texts.everyChangeByAdministratorOrProvider} />
      <FilterBar
        isFiltered={Object.keys(filters).length > 0}
        onClear={() => setFilters({})}
        search={
          <SearchField
            placeholder={texts.invoiceClientOrId}
            value={search ?? filters.subjectId ?? ''}
            error={isUnknown ? texts.notOneOrderOrClient : undefined}
            onChange={(text) => change(filterByText(text), 'search')}
          />
        }
        fields={[
          choiceField({
            label: texts.kind,
            name: 'subject',
            value: filters.subject,
            choices: auditSubjects,
            change,
          }),
        ]}
        onRemove={() => change({ subject: null })}
      />
      {error && !entries ? (
        <ErrorNotice
          title={texts.auditLogCouldNotBeLoaded}
          error={error}
          onRetry={() => void (found.error ? found : query).refetch()}
        />
      ) : (
        <Panel isFlush>
          {!entries && (
            <Stack p="md">
              {[1, 2, 3, 4, 5, 6].map((key) => (
                <Skeleton key={key} height={44} />
              ))}
            </Stack>
          )}
          {entries?.length === 0 && (
            <EmptyState icon="audit" title={texts.noEntries}>
              {texts.changesByAdministratorsAndProvidersAre}
            </EmptyState>
          )}
          {entries?.map((entry) => (
            <AuditRow key={entry.id} entry={entry} />
          ))}
        </Panel>
      )}
      {!isUnknown && <LoadMore query={query} />}
    </>
  );
}
