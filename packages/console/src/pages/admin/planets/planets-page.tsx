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
import { texts } from '../../../texts/admin-planets.ts';
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
      title: texts.planet,
      render: ({ name, imageUrl }) => (
        <Group gap="sm" wrap="nowrap">
          <Picture imageUrl={imageUrl} alt="" size={36} />
          <Text size="sm" fw={600} truncate>
            <bdi>{name}</bdi>
          </Text>
        </Group>
      ),
    },
    { title: texts.number, render: ({ number }) => number, align: 'end' },
    {
      title: texts.description,
      render: ({ description }) => (
        <Text size="sm" lineClamp={2}>
          <bdi>{description || '–'}</bdi>
        </Text>
      ),
      hiddenBelow: 'medium',
    },
    {
      title: texts.actions,
      align: 'end',
      render: (planet) => (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={texts.editName(planet.name)}
          onClick={() => setEdited(planet)}
        >
          {texts.editButton}
        </Button>
      ),
    },
  ];
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited('new')}>
      {texts.addPlanetButton}
    </Button>
  );
  return (
    <>
      <PageHeader title={texts.planets} description={texts.eachStrainAndEachDigitalKey} actions={add} />
      {error && !planets ? (
        <ErrorNotice title={texts.planetsCouldNotBeLoaded} error={error} onRetry={() => void refetch()} />
      ) : (
        <Panel isFlush>
          {planets?.length === 0 ? (
            <EmptyState icon="planets" title={texts.noPlanetsYet} action={add}>
              {texts.addOneBeforeYouAddStrains}
            </EmptyState>
          ) : (
            <DataTable caption={texts.planets} columns={columns} rows={planets} keyOf={({ id }) => id} />
          )}
        </Panel>
      )}
      {edited && <PlanetDrawer planet={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}
