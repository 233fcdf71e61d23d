import { defineOperations } from '../operation.ts';
import { NewPlanet, Planet, PlanetChange, PlanetList, PlanetPath } from '../schemas/planets.ts';
import { ids, planet } from './examples.ts';

const { number, name, description } = planet;

export const planetOperations = defineOperations({
  listPlanets: {
    method: 'GET',
    path: '/planets',
    access: 'credential',
    tag: 'Catalogue',
    sdk: 'planets.list',
    summary: 'List planets',
    description: 'Lists all planets by number.',
    status: 200,
    retry: 'safe',
    response: PlanetList,
    roundTrips: 0,
    example: { response: { planets: [planet] } },
  },

  createPlanet: {
    method: 'POST',
    path: '/admin/planets',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.planets.create',
    summary: 'Create a planet',
    status: 201,
    retry: 'idempotency-key',
    body: NewPlanet,
    response: Planet,
    errors: ['NAME_TAKEN', 'NUMBER_TAKEN'],
    example: { body: { number, name, description }, response: planet },
  },

  updatePlanet: {
    method: 'PATCH',
    path: '/admin/planets/{planetId}',
    access: 'administrator',
    tag: 'Administration',
    sdk: 'admin.planets.update',
    summary: 'Update a planet',
    description: 'Updates the fields in the body; give at least one. Other fields keep their value.',
    status: 200,
    retry: 'safe',
    parameters: PlanetPath,
    body: PlanetChange,
    response: Planet,
    errors: ['NAME_TAKEN', 'NUMBER_TAKEN'],
    example: { parameters: { planetId: ids.planet }, body: { description }, response: planet },
  },
});
