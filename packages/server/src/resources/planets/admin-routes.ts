import { NewPlanet, Planet, PlanetChange, PlanetPath } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import type { CatalogueCache } from '../catalogue-cache.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { examplePlanet } from './example-planet.ts';
import { changePlanet, createPlanet } from './planet-rules.ts';

export function addAdminPlanetRoutes(router: Router, database: Database, answers: CatalogueCache): void {
  // Whoever made a change sees it in what he reads next.
  const after = () => answers.forgetAll();

  router.add(
    {
      method: 'POST',
      path: '/admin/planets',
      access: 'administrator',
      id: 'createPlanet',
      tag: 'Administration',
      summary: 'Add a planet',
      status: 201,
      body: NewPlanet,
      answer: Planet,
      example: examplePlanet,
    },
    ({ scope, body, run }) => createPlanet(run, requireAdministrator(scope), body),
    { after },
  );

  router.add(
    {
      method: 'PATCH',
      path: '/admin/planets/:planetId',
      access: 'administrator',
      id: 'updatePlanet',
      tag: 'Administration',
      summary: 'Change a planet',
      description: 'The fields that are named change, at least one; the others stay as they are.',
      parameters: PlanetPath,
      body: PlanetChange,
      answer: Planet,
      example: examplePlanet,
    },
    ({ scope, parameters, body }) =>
      changePlanet(database, requireAdministrator(scope), parameters.planetId, body),
    { after },
  );
}
