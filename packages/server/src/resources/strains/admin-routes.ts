import { NewStrain, Strain, StrainChange, StrainPath } from '@keyfront/protocol';
import type { Database } from '../../database/database.ts';
import type { Router } from '../../pipeline/router.ts';
import type { CatalogueCache } from '../catalogue-cache.ts';
import { requireAdministrator } from '../holders/holder-rules.ts';
import { changeStrain, createStrain } from './admin-strain-rules.ts';
import { exampleStrain } from './example-strain.ts';

export function addAdminStrainRoutes(router: Router, database: Database, answers: CatalogueCache): void {
  // Whoever made a change sees it in what he reads next.
  const after = () => answers.forgetAll();

  router.add(
    {
      method: 'POST',
      path: '/admin/strains',
      access: 'administrator',
      id: 'createStrain',
      tag: 'Administration',
      summary: 'Add a strain',
      status: 201,
      body: NewStrain,
      answer: Strain,
      errors: ['NOT_FOUND'],
      example: exampleStrain,
    },
    ({ scope, body, run }) => createStrain(run, requireAdministrator(scope), body),
    { after },
  );

  router.add(
    {
      method: 'PATCH',
      path: '/admin/strains/:strainId',
      access: 'administrator',
      id: 'updateStrain',
      tag: 'Administration',
      summary: 'Change a strain',
      description:
        'The fields that are named change, at least one; the others stay as they are. While a shop is open, change ' +
        'the stock by `stockChange`: it adds to what is there at that moment.',
      parameters: StrainPath,
      body: StrainChange,
      answer: Strain,
      example: exampleStrain,
    },
    ({ scope, parameters, body }) =>
      changeStrain(database, requireAdministrator(scope), parameters.strainId, body),
    { after },
  );
}
