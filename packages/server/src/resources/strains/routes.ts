import { Strain, StrainListQuery, StrainPage, StrainPath } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../http/router.ts';
import { getStrain, getStrainPage } from './strains.ts';

const example = {
  id: '019a8f3e-7c00-7000-8000-000000000301',
  name: 'Lunar Saffron',
  description: 'A slow evening strain with a warm, spiced finish.',
  type: 'INDICA',
  thc: 18.5,
  cbd: 0.8,
  flavour: 'saffron, pine',
  feelings: 'calm, happy',
  helpsWith: 'stress, sleep',
  retailPrice: '12.50',
  currency: 'EUR',
  stockQuantity: 240,
  isAvailable: true,
  imageUrl: null,
  countryCodes: ['DEU', 'PRT'],
  planet: { number: 7, name: 'Verdane' },
};

export function addStrainRoutes(router: Router, database: Database): void {
  router.add(
    {
      method: 'GET',
      path: '/dapp/strains',
      access: 'credential',
      id: 'listStrains',
      tag: 'Catalogue',
      summary: 'List strains',
      description: 'The catalogue by name, in pages, all of it or what matches the filters.',
      query: StrainListQuery,
      answer: StrainPage,
      example: {
        strains: [example],
        pageMetaDto: {
          page: 1,
          take: 10,
          itemCount: 1,
          pageCount: 1,
          hasPreviousPage: false,
          hasNextPage: false,
        },
      },
    },
    ({ query }) => getStrainPage(database, query),
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/strains/:strainId',
      access: 'credential',
      id: 'getStrain',
      tag: 'Catalogue',
      summary: 'Read a strain',
      parameters: StrainPath,
      answer: Strain,
      example,
    },
    ({ parameters }) => getStrain(database, parameters.strainId),
  );
}
