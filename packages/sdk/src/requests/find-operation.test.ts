import { expect, it } from 'vitest';
import { operations } from '../generated/operations.ts';
import { findOperation } from './find-operation.ts';

it.each(Object.entries(operations))('finds %s', (_id, route) => {
  expect(findOperation(route.method, route.path.replaceAll(/\{\w+\}/g, '7'))).toBe(route);
});

it.each([
  ['get', '/planets', operations.listPlanets],
  ['GET', 'planets', operations.listPlanets],
  ['GET', '/planets?a=/b#c', operations.listPlanets],
  ['GET', '/api/v1/planets', operations.listPlanets],
  ['PATCH', '/admin/strains/a%2Fb', operations.updateStrain],
  ['GET', '/dapp/orders/summary', operations.getOrderSummary],
  ['GET', '/dapp/orders/019a', operations.getOrder],
  ['PUT', '/planets', undefined],
  ['GET', '/planets/7', undefined],
  ['GET', '/', undefined],
])('%s %s', (method, path, expected) => {
  expect(findOperation(method, path)).toBe(expected);
});
