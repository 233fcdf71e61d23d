import type { Planet } from '@keyfront/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { Panel } from '../../../components/panel.tsx';
import { Picture } from '../../../components/picture.tsx';
import { useEdited } from '../../../components/use-edited.ts';
import { useRequestedForm } from '../../../components/use-requested-form.ts';
import { getKeyfront } from '../../../session/keyfront.ts';
import { PlanetDrawer } from './planet-drawer.tsx';

/** The planets that strains and digital keys belong to. */
export function PlanetsPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['planets'],
    queryFn: ({ signal }) => getKeyfront().planets.list({ signal }),
  });
  const planets = data?.planets;
  const [edited, setEdited] = useEdited('planet', planets);
  useRequestedForm(() => setEdited('new'));
  const columns: readonly Column<Planet>[] = [
    {
      title: 'Planet',
      render: ({ name, imageUrl }) => (
        <Group gap="sm" wrap="nowrap">
          <Picture imageUrl={imageUrl} alt="" size={36} />
          <Text size="sm" fw={600} truncate>
            <bdi>{name}</bdi>
          </Text>
        </Group>
      ),
    },
    { title: 'Number', render: ({ number }) => number, align: 'end' },
    {
      title: 'Description',
      render: ({ description }) => (
        <Text size="sm" lineClamp={2}>
          <bdi>{description || '–'}</bdi>
        </Text>
      ),
      hiddenBelow: 'medium',
    },
    {
      title: 'Actions',
      align: 'end',
      render: (planet) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Edit ${planet.name}`}
          onClick={() => setEdited(planet)}
        >
          Edit
        </Button>
      ),
    },
  ];
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
      Add planet
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Planets"
        description="Each strain and each digital key belongs to one."
        actions={add}
      />
      {error && !planets ? (
        <ErrorNotice title="The planets could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel isFlush>
          {planets?.length === 0 ? (
            <EmptyState icon="planets" title="No planets yet" action={add}>
              Add one before you add strains.
            </EmptyState>
          ) : (
            <DataTable caption="Planets" columns={columns} rows={planets} keyOf={({ id }) => id} />
          )}
        </Panel>
      )}
      {edited && <PlanetDrawer planet={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}
