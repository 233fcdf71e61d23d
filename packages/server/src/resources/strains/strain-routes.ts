import { strainOperations } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { OperationRouter } from '../../pipeline/operation-router.ts';
import type { CatalogueCache } from '../catalogue/catalogue-cache.ts';
import type { ImageUrls } from '../images/image-urls.ts';
import { changeStrain, createStrain } from './admin-strain-rules.ts';
import { getStrain, getStrainPage } from './strain-rules.ts';

export function addStrainRoutes(
  router: OperationRouter,
  database: Database,
  catalogue: CatalogueCache,
  imageUrls: ImageUrls,
): void {
  // Administrators must see their own change immediately.
  const after = () => catalogue.clear();
  const cache = catalogue.strains;

  router.add(strainOperations.listStrains, ({ query }) => getStrainPage(database, catalogue, query), {
    cache,
  });
  router.add(
    strainOperations.getStrain,
    ({ parameters, query }) => getStrain(database, parameters.strainId, query),
    {
      cache,
    },
  );
  router.add(
    strainOperations.createStrain,
    ({ scope, body, tx }) => createStrain(tx, scope, imageUrls, body),
    { after },
  );
  router.add(
    strainOperations.updateStrain,
    ({ scope, parameters, body }) => changeStrain(database, scope, imageUrls, parameters.strainId, body),
    { after },
  );
}
