import type { Strain } from '@keyfront/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Picture } from '../../../components/picture.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { FilterBar } from '../../../filters/filter-bar.tsx';
import { SearchField } from '../../../filters/search-field.tsx';
import { nameCountry } from '../../../format/countries.ts';
import { formatMoney } from '../../../format/format-money.ts';
import { numberedPages } from '../../../paging/next-page.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { readCatalogueFilters } from '../../catalogue/catalogue-filters.ts';
import classes from './admin-catalogue-page.module.css';
import { NewStrainDrawer } from './new-strain-drawer.tsx';
import { StrainImagesModal } from './strain-images-modal.tsx';
import { StrainModal } from './strain-modal.tsx';

const pageSize = 30;

/** Prices, stock and availability of all strains, by country. */
export function AdminCataloguePage() {
  const filters = useSearch({ from: '/shell/admin/catalogue' });
  const navigate = useNavigate();
  const [edited, setEdited] = useState<Strain | null>(null);
  const [pictured, setPictured] = useState<Strain | null>(null);
  const [isAdding, adding] = useDisclosure();
  const query = useInfiniteQuery({
    queryKey: ['admin', 'strains', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().strains.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
    placeholderData: keepPreviousData,
  });
  const strains = query.data?.pages.flatMap((page) => page.strains);
  const setSearch = (search: string) =>
    void navigate({ to: '/admin/catalogue', search: readCatalogueFilters({ search }), replace: true });
  const columns: readonly Column<Strain>[] = [
    {
      title: 'Strain',
      render: ({ name, planet, imageUrl }) => (
        <Group gap="sm" wrap="nowrap">
          <Picture imageUrl={imageUrl} alt="" size={36} />
          <div style={{ minWidth: 0 }}>
            <Text size="sm" fw={600} lineClamp={2}>
              <bdi>{name}</bdi>
            </Text>
            <Text size="xs" c="dimmed" truncate>
              <bdi>{planet.name}</bdi>
            </Text>
          </div>
        </Group>
      ),
    },
    {
      title: 'Price',
      render: ({ retailPrice, currency }) => formatMoney(retailPrice, currency),
      align: 'end',
      hiddenBelow: 'narrow',
    },
    { title: 'Stock', render: ({ stockQuantity }) => stockQuantity.toLocaleString(), align: 'end' },
    {
      title: 'Countries',
      render: ({ countryCodes }) => describeCountries(countryCodes),
      hiddenBelow: 'medium',
    },
    {
      title: 'State',
      render: ({ isAvailable }) => (
        <StatusBadge
          state={isAvailable ? 'ACTIVE' : 'INACTIVE'}
          label={isAvailable ? 'Available' : 'Not available'}
        />
      ),
      hiddenBelow: 'narrow',
    },
    {
      title: 'Actions',
      align: 'end',
      render: (strain) => (
        <div className={classes.actions}>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Images of ${strain.name}`}
            onClick={() => setPictured(strain)}
          >
            Images
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Edit ${strain.name}`}
            onClick={() => setEdited(strain)}
          >
            Edit
          </Button>
        </div>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title="Catalogue"
        description="Prices, stock and images. Carts show a change at once."
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
            Add strain
          </Button>
        }
      />
      <FilterBar
        isFiltered={filters.search !== undefined}
        onClear={() => setSearch('')}
        search={
          <SearchField value={filters.search ?? ''} placeholder="Name or description" onChange={setSearch} />
        }
      />
      {query.error && !strains ? (
        <ErrorNotice
          title="The catalogue could not be loaded"
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Panel isFlush>
          <DataTable
            caption="Strains"
            columns={columns}
            rows={strains}
            keyOf={({ id }) => id}
            skeletonRows={10}
          />
        </Panel>
      )}
      <LoadMore query={query} />
      <NewStrainDrawer isOpen={isAdding} onClose={adding.close} />
      {pictured && <StrainImagesModal strain={pictured} onClose={() => setPictured(null)} />}
      {edited && <StrainModal strain={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

/** The names in one line, and all of them while the pointer rests on it. */
function describeCountries(countryCodes: readonly string[]) {
  const names = countryCodes.map(nameCountry).join(', ');
  return <span title={names}>{names}</span>;
}
