import { defineOperations } from '../operation.ts';
import {
  NewStrain,
  Strain,
  StrainChange,
  StrainListQuery,
  StrainPage,
  StrainPath,
  StrainQuery,
} from '../schemas/strains.ts';
import { ids, onlyPage, strain } from './examples.ts';

const { name, type, thc, cbd, retailPrice, currency, stockQuantity, countryCodes } = strain;

/** Room for all images and locations of a strain. Only administrators send it. */
const strainBodyLimitBytes = 256 * 1024;

export const strainOperations = defineOperations({
  listStrains: {
    method: 'GET',
    path: '/dapp/strains',
    access: 'credential',
    tag: 'Catalogue',
    sdk: 'strains.list',
    summary: 'List strains',
    description:
      'Lists strains by name unless `orderBy` says otherwise. Price, stock and availability are those of the requested country. The ' +
      'stock is at most one second old. Filters apply together.',
    status: 200,
    retry: 'safe',
    query: StrainListQuery,
    response: StrainPage,
    roundTrips: 0,
    example: {
      query: { countryCode: 'PRT', feelings: 'calm', orderBy: 'retailPrice:asc', facets: 'true' },
      response: {
        strains: [strain],
        pageMetaDto: onlyPage,
        facets: {
          type: [{ value: 'INDICA', count: 1 }],
          feelings: [
            { value: 'calm', count: 1 },
            { value: 'happy', count: 1 },
          ],
          helpsWith: [
            { value: 'sleep', count: 1 },
            { value: 'stress', count: 1 },
          ],
          flavour: [
            { value: 'pine', count: 1 },
            { value: 'saffron', count: 1 },
          ],
          thc: { min: 18.5, max: 18.5 },
          price: { min: 12.5, max: 12.5 },
        },
      },
    },
  },

  getStrain: {
    method: 'GET',
    path: '/dapp/strains/{strainId}',
    access: 'credential',
    tag: 'Catalogue',
    sdk: 'strains.get',
    summary: 'Get a strain',
    description: 'The stock is at most one second old.',
    status: 200,
    retry: 'safe',
    parameters: StrainPath,
    query: StrainQuery,
    response: Strain,
    roundTrips: 0,
    example: {
      parameters: { strainId: ids.strain },
      query: { countryCode: 'PRT' },
      response: strain,
    },
  },

  createStrain: {
    method: 'POST',
    path: '/admin/strains',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.strains.create',
    summary: 'Create a strain',
    description:
      'A strain is sold per country. Give `strainLocations`, each with its own stock and price, or `countryCodes` and ' +
      '`stockQuantity`, which is then divided evenly.',
    status: 201,
    retry: 'idempotency-key',
    body: NewStrain,
    bodyLimitBytes: strainBodyLimitBytes,
    response: Strain,
    errors: ['RESOURCE_NOT_FOUND', 'NAME_TAKEN'],
    example: {
      body: { name, type, thc, cbd, retailPrice, currency, stockQuantity, countryCodes, planet: '7' },
      response: strain,
    },
  },

  updateStrain: {
    method: 'PATCH',
    path: '/admin/strains/{strainId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.strains.update',
    summary: 'Update a strain',
    description:
      'Updates the fields in the body; give at least one. Other fields keep their value. While a shop is open, change the ' +
      'stock with `stockChange`, which adds to the current stock, here or for one country in `strainLocations`.',
    status: 200,
    // A second attempt would add to the stock a second time.
    retry: { unless: ['stockChange', 'strainLocations'] },
    parameters: StrainPath,
    body: StrainChange,
    bodyLimitBytes: strainBodyLimitBytes,
    response: Strain,
    errors: ['NAME_TAKEN', 'STOCK_TOO_LOW', 'STOCK_TOO_HIGH'],
    example: {
      parameters: { strainId: ids.strain },
      body: { retailPrice: 12.5, strainLocations: [{ countryCode: 'PRT', stockChange: 40 }] },
      response: strain,
    },
    variants: { 'to another planet': { body: { planet: ids.planet } } },
  },
});
