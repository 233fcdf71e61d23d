import {
  pageMeta,
  pageRequest,
  type Strain,
  type StrainListQuery,
  type StrainPage,
} from '@keyfront/protocol';
import { ApiError } from '../../api-error.ts';
import type { Database } from '../../database/database.ts';
import { findStrain, listStrains, type PlanetReference } from './store.ts';

/** The page of the catalogue that a query asks for. A filter that is empty is no filter. */
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

/** The strain, or the 404. */
export async function getStrain(database: Database, strainId: string): Promise<Strain> {
  const strain = await findStrain(database, strainId);
  if (!strain) throw new ApiError('NOT_FOUND', { message: 'Strain not found' });
  return strain;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function readPlanetReference(text: string): PlanetReference {
  if (/^\d{1,9}$/.test(text)) return { number: Number(text) };
  return uuid.test(text) ? { id: text } : { name: text };
}
