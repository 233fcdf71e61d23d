import { findDemoDrawing } from '@keyfront/demo';
import type { FileStore } from '@keyfront/file-store';
import { addDeliveryChargeRoutes } from '../../resources/delivery-charges/delivery-charge-routes.ts';
import { addImageRoutes } from '../../resources/images/image-routes.ts';
import { serveImages } from '../../resources/images/serve-images.ts';
import { addPlanetRoutes } from '../../resources/planets/planet-routes.ts';
import { addStrainRoutes } from '../../resources/strains/strain-routes.ts';
import type { Area } from './area.ts';

export interface CatalogueDependencies {
  /** Where uploaded images are. Null: none can be uploaded. */
  readonly imageStore: FileStore | null;
}

/** Planets, strains, delivery charges, and their images. */
export function addCatalogue(
  { app, router, database, catalogueCache, imageUrls }: Area,
  { imageStore }: CatalogueDependencies,
): void {
  addDeliveryChargeRoutes(router, database, catalogueCache);
  addPlanetRoutes(router, database, catalogueCache, imageUrls);
  addStrainRoutes(router, database, catalogueCache, imageUrls);
  addImageRoutes(router, imageStore, imageUrls);
  serveImages(app, { findDrawing: findDemoDrawing, store: imageStore });
}
