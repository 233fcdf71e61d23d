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
import { useEdited } from '../../../components/use-edited.ts';
import { useRequestedForm } from '../../../components/use-requested-form.ts';
import { choiceField } from '../../../filters/fields.tsx';
import { filterEntry } from '../../../filters/filter-entry.ts';
import { ListFilterBar } from '../../../filters/list-filter-bar.tsx';
import { nameCountry } from '../../../format/countries.ts';
import { formatMoney } from '../../../format/format-money.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { numberedPages } from '../../../paging/next-page.ts';
import { readDraft } from '../../../session/drafts.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { texts } from '../../../texts/admin-catalogue.ts';
import {
  type AdminCatalogueFilters,
  availabilities,
  readAdminCatalogueFilters,
  strainSorts,
  strainTypes,
} from '../../catalogue/catalogue-filters.ts';
import { usePlanetChoices } from '../../catalogue/use-planet-choices.ts';
import classes from './admin-catalogue-page.module.css';
import { NewStrainDrawer, newStrainDraft } from './new-strain-drawer.tsx';
import { StrainImagesModal } from './strain-images-modal.tsx';
import { StrainModal } from './strain-modal.tsx';

const pageSize = 30;

/** Prices, stock and availability of all strains, by country. */
export function AdminCataloguePage() {
  const filters = useSearch({ from: '/shell/admin/catalogue' });
  const navigate = useNavigate();
  const planets = usePlanetChoices();
  const [pictured, setPictured] = useState<Strain | null>(null);
  const [isAdding, adding] = useDisclosure(readDraft(newStrainDraft) !== null);
  useRequestedForm(adding.open);
  const query = useInfiniteQuery({
    queryKey: ['admin', 'strains', filters],
    queryFn: ({ pageParam, signal }) =>
      getKeyfront().strains.list({ ...filters, take: pageSize, page: pageParam }, { signal }),
    ...numberedPages,
    placeholderData: keepPreviousData,
  });
  const strains = query.data?.pages.flatMap((page) => page.strains);
  const [edited, setEdited] = useEdited('strain', strains);
  const setFilters = (next: AdminCatalogueFilters, typedFilter?: string) =>
    void navigate({ to: '/admin/catalogue', search: next, ...filterEntry(typedFilter) });
  const columns: readonly Column<Strain>[] = [
    {
      title: texts.strain,
      sort: { ascending: 'name:asc', descending: 'name:desc', first: 'ascending' },
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
      title: texts.price,
      sort: { ascending: 'retailPrice:asc', descending: 'retailPrice:desc', first: 'ascending' },
      render: ({ retailPrice, currency }) => formatMoney(retailPrice, currency),
      align: 'end',
      hiddenBelow: 'narrow',
    },
    { title: texts.stock, render: ({ stockQuantity }) => formatNumber(stockQuantity), align: 'end' },
    {
      title: texts.countries,
      render: ({ countryCodes }) => describeCountries(countryCodes),
      hiddenBelow: 'medium',
    },
    {
      title: texts.state,
      render: (strain) => <StatusBadge {...describeOffer(strain)} />,
      hiddenBelow: 'narrow',
    },
    {
      title: texts.actions,
      align: 'end',
      render: (strain) => (
        <div className={classes.actions}>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={texts.imagesOfName(strain.name)}
            onClick={() => setPictured(strain)}
          >
            {texts.images}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            aria-label={texts.editName(strain.name)}
            onClick={() => setEdited(strain)}
          >
            {texts.edit}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={texts.catalogue}
        description={texts.pricesStockAndImagesCartsShow}
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
            {texts.addStrain}
          </Button>
        }
      />
      <ListFilterBar
        list="/admin/catalogue"
        filters={filters}
        readFilters={readAdminCatalogueFilters}
        onChange={setFilters}
        placeholder={texts.nameOrDescription}
        sorts={strainSorts}
        fields={(change) => [
          choiceField({
            label: texts.planet,
            name: 'planet',
            value: filters.planet,
            choices: planets,
            change,
          }),
          choiceField({ label: texts.type, name: 'type', value: filters.type, choices: strainTypes, change }),
          choiceField({
            label: texts.availability,
            name: 'isAvailable',
            value: filters.isAvailable,
            choices: availabilities,
            change,
          }),
        ]}
      />
      {query.error && !strains ? (
        <ErrorNotice
          title={texts.catalogueCouldNotBeLoaded}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Panel isFlush>
          <DataTable
            caption={texts.strains}
            columns={columns}
            rows={strains}
            keyOf={({ id }) => id}
            skeletonRows={10}
            sorting={{
              value: filters.orderBy ?? 'name:asc',
              onChange: (orderBy) => setFilters(readAdminCatalogueFilters({ ...filters, orderBy })),
            }}
          />
        </Panel>
      )}
      <LoadMore query={query} />
      <NewStrainDrawer isOpen={isAdding} onClose={adding.close} />
      {pictured && <StrainImagesModal strain={pictured} onClose={() => setPictured(null)} />}
      {edited && edited !== 'new' && <StrainModal strain={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

/** What administrators have chosen comes first: a strain that is not offered is not out of stock. */
function describeOffer({ isActive, isAvailable, stockQuantity }: Strain): { state: string; label: string } {
  if (!isActive) return { state: 'INACTIVE', label: texts.notOffered };
  if (isAvailable) return { state: 'ACTIVE', label: texts.available };
  return stockQuantity === 0
    ? { state: 'OUT_OF_STOCK', label: texts.outOfStock }
    : { state: 'INACTIVE', label: texts.soldNowhere };
}

/** The names in one line, and all of them while the pointer rests on it. */
function describeCountries(countryCodes: readonly string[]) {
  const names = countryCodes.map(nameCountry).join(', ');
  return <span title={names}>{names}</span>;
}
