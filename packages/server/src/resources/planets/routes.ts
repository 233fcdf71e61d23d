import { PlanetList } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../http/router.ts';
import { listPlanets } from './store.ts';

export function addPlanetRoutes(router: Router, database: Database): void {
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
      example: {
        planets: [
          {
            id: '019a8f3e-7c00-7000-8000-000000000007',
            number: 7,
            name: 'Verdane',
            description: 'Terraced valleys under two slow suns.',
            imageUrl: null,
          },
        ],
      },
    },
    async () => ({ planets: await listPlanets(database) }),
  );
}
