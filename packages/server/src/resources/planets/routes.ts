import { PlanetList } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import type { CatalogueCache } from '../catalogue-cache.ts';
import { examplePlanet } from './example-planet.ts';
import { listPlanets } from './planet-queries.ts';

export function addPlanetRoutes(router: Router, database: Database, answers: CatalogueCache): void {
  router.add(
    {
      method: 'GET',
      path: '/planets',
      access: 'credential',
      id: 'listPlanets',
      tag: 'Catalogue',
      summary: 'List planets',
      description: 'All planets, by number.',
      answer: PlanetList,
      example: { planets: [examplePlanet] },
    },
    async () => ({ planets: await listPlanets(database) }),
    { kept: answers.planets },
  );
}
