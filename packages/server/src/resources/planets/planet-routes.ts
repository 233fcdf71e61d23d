import { planetOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import type { ImageUrls } from '../images/image-urls.ts';
import { listPlanets } from './planet-queries.ts';
import { changePlanet, createPlanet } from './planet-rules.ts';

export function addPlanetRoutes(
  router: OperationRouter,
  database: Database,
  catalogue: CatalogueCache,
  imageUrls: ImageUrls,
): void {
  // Administrators must see their own change immediately.
  const after = () => catalogue.clear();

  router.add(planetOperations.listPlanets, async () => ({ planets: await listPlanets(database) }), {
    cache: catalogue.planets,
  });
  router.add(
    planetOperations.createPlanet,
    ({ scope, body, tx }) => createPlanet(tx, scope, imageUrls, body),
    { after },
  );
  router.add(
    planetOperations.updatePlanet,
    ({ scope, parameters, body }) => changePlanet(database, scope, imageUrls, parameters.planetId, body),
    { after },
  );
}
