import {
  pageMeta,
  pageRequest,
  type Strain,
  type StrainListQuery,
  type StrainPage,
} from '@keyfront/protocol';
import { notFound } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import { readPlanetReference } from '../planets/planet-reference.ts';
import { findStrain, listStrains } from './strain-queries.ts';

/** Gets one page of the catalogue. An empty filter value means no filter. */
export async function getStrainPage(database: Database, query: StrainListQuery): Promise<StrainPage> {
  const page = pageRequest(query);
  const filter = {
    search: query.search || null,
    countryCode: query.countryCode?.toUpperCase() || null,
    planet: query.planet ? readPlanetReference(query.planet) : null,
  };
  const { strains, itemCount } = await listStrains(database, filter, page);
  return { strains, pageMetaDto: pageMeta(page, itemCount) };
}

/** Gets a strain, or throws the 404. */
export async function getStrain(database: Database, strainId: string): Promise<Strain> {
  const strain = await findStrain(database, strainId);
  if (!strain) throw notFound('Strain');
  return strain;
}
