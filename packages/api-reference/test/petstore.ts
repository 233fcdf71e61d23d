import type { ReferenceDocument } from '../src/index.ts';

/** A service of another kind than the one this package was first written for, with most of what OpenAPI 3.1 offers. */
export const petstore: ReferenceDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Petstore',
    version: '2.1.0',
    summary: 'Pets for everyone',
    description: 'Sells **pets**.\n\n# Getting started\n\nAsk for a [token](https://pets.example/token).',
  },
  servers: [
    { url: 'https://pets.example/v2', description: 'Production' },
    { url: 'https://test.pets.example' },
  ],
  security: [{ token: [] }],
  tags: [{ name: 'Pets', description: 'Everything about `pets`' }],
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        tags: ['Pets'],
        summary: 'List pets',
        description: 'Newest first.',
        parameters: [{ $ref: '#/components/parameters/Limit' }],
        responses: {
          '200': {
            description: 'The pets',
            headers: { 'X-Next': { $ref: '#/components/headers/Next' } },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
                examples: {
                  some: { summary: 'Some', value: [{ id: 1, name: 'Rex' }] },
                  none: { $ref: '#/components/examples/NoPets' },
                },
              },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          default: { $ref: '#/components/responses/Problem' },
        },
      },
      post: {
        operationId: 'addPet',
        tags: ['Pets'],
        summary: 'Add a pet',
        security: [{ token: [] }, { basic: [], client: [] }],
        requestBody: { $ref: '#/components/requestBodies/NewPet' },
        responses: { '201': { description: 'Created' }, '400': { $ref: '#/components/responses/Problem' } },
        'x-codeSamples': [
          { lang: 'Shell', label: 'curl', source: 'curl "$PETS_URL"' },
          { lang: 'JavaScript', label: 'Node', source: 'await pets.add({ name: "Rex" });' },
        ],
      },
    },
    '/pets/{petId}': {
      parameters: [
        { name: 'petId', in: 'path', required: true, schema: { type: 'integer' }, description: 'Which pet' },
      ],
      delete: {
        tags: ['Pets'],
        summary: 'Remove a pet',
        deprecated: true,
        security: [],
        responses: { '204': { description: 'Removed' } },
      },
    },
    '/status': { get: { security: [], responses: { '200': { description: 'Up' } } } },
  },
  webhooks: {
    petSold: {
      post: {
        operationId: 'petSold',
        summary: 'A pet was sold',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: { '200': { description: 'Acknowledged' } },
      },
    },
  },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer', description: 'From your account' },
      basic: { type: 'http', scheme: 'basic' },
      client: { type: 'apiKey', in: 'query', name: 'client_id' },
    },
    parameters: {
      Limit: {
        name: 'limit',
        in: 'query',
        description: 'How many',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
    },
    headers: { Next: { description: 'Address of the next page', schema: { type: 'string', format: 'uri' } } },
    requestBodies: {
      NewPet: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' } } },
      },
    },
    responses: {
      Problem: {
        description: 'Something is wrong',
        headers: {
          'X-Next': { $ref: '#/components/headers/Next' },
          'X-Reason': { description: 'Says **why**', schema: { type: 'string' } },
        },
        content: {
          'application/problem+json': {
            schema: { type: 'object', properties: { title: { type: 'string' } } },
            examples: {
              NO_PET: { summary: 'There is `no` such pet', value: { title: 'No such pet' } },
              OTHER: { value: { title: 'Something else' } },
            },
          },
        },
      },
    },
    examples: { NoPets: { summary: 'None', value: [] } },
    schemas: {
      NewPet: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', description: 'What it listens to' },
          kind: { type: 'string', enum: ['CAT', 'DOG'], deprecated: true },
          owner: { anyOf: [{ $ref: '#/components/schemas/Person' }, { type: 'null' }] },
        },
      },
      Pet: {
        allOf: [
          { $ref: '#/components/schemas/NewPet' },
          { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
        ],
      },
      Person: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
    },
  },
};
