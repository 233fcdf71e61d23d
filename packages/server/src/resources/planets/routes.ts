import { PlanetList } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../http/router.ts';
import type { CatalogueAnswers } from '../catalogue-answers.ts';
import { examplePlanet } from './example-planet.ts';
import { listPlanets } from './store.ts';

export function addPlanetRoutes(router: Router, database: Database, answers: CatalogueAnswers): void {
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
