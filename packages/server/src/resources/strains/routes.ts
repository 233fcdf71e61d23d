import { Strain, StrainListQuery, StrainPage, StrainPath } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import { onlyPage } from '../../http/page-example.ts';
import type { Router } from '../../pipeline/router.ts';
import type { CatalogueCache } from '../catalogue-cache.ts';
import { exampleStrain } from './example-strain.ts';
import { getStrain, getStrainPage } from './strain-rules.ts';

export function addStrainRoutes(router: Router, database: Database, answers: CatalogueCache): void {
  router.add(
    {
      method: 'GET',
      path: '/dapp/strains',
      access: 'credential',
      id: 'listStrains',
      tag: 'Catalogue',
      summary: 'List strains',
      description:
        'The catalogue by name, in pages, all of it or what matches the filters. The stock is at most a second old.',
      query: StrainListQuery,
      answer: StrainPage,
      example: {
        strains: [exampleStrain],
        pageMetaDto: onlyPage,
      },
    },
    ({ query }) => getStrainPage(database, query),
    { kept: answers.strains },
  );

  router.add(
    {
      method: 'GET',
      path: '/dapp/strains/:strainId',
      access: 'credential',
      id: 'getStrain',
      tag: 'Catalogue',
      summary: 'Read a strain',
      description: 'The stock is at most a second old.',
      parameters: StrainPath,
      answer: Strain,
      example: exampleStrain,
    },
    ({ parameters }) => getStrain(database, parameters.strainId),
    { kept: answers.strains },
  );
}
