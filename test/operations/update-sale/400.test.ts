import { expect, it } from 'vitest';
import { openStorefront } from '../../support/storefront.ts';

const { holder } = await openStorefront();

const stages = 'stage must be one of the following values: LEADS, ONGOING, CLOSED';

it.each<[string, unknown, string[]]>([
  ['neither field', {}, ['body must have at least one of the fields stage, description']],
  ['no body at all', undefined, ['body must have at least one of the fields stage, description']],
  ['an unknown stage', { stage: 'WON' }, [stages]],
  ['a stage in small letters', { stage: 'closed' }, [stages]],
  ['an empty stage', { stage: '' }, [stages]],
  ['a stage of another type', { stage: {} }, [stages]],
  ['a description that is no text', { description: 7 }, ['description must be a string']],
  ['a description of another type', { description: {} }, ['description must be a string']],
  [
    'a description that is too long',
    { description: 'x'.repeat(2001) },
    ['description must be shorter than or equal to 2000 characters'],
  ],
  ['several faults at once', { stage: 1, description: [] }, [stages, 'description must be a string']],
  [
    'NUL in the description',
    '{"description":"a\\u0000b"}',
    ['description must not contain NUL or unpaired surrogates'],
  ],
  [
    'half a character',
    '{"description":"\\ud800"}',
    ['description must not contain NUL or unpaired surrogates'],
  ],
  ['the name __proto__', '{"stage":"CLOSED","__proto__":{}}', ['body must not contain the name __proto__']],
  ['a name twice', '{"stage":"CLOSED","stage":"LEADS"}', ['body must not contain the name "stage" twice']],
  [
    'deep nesting',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    ['body must not be nested deeper than 32 levels'],
  ],
  ['a list', [], ['body must be an object']],
  ['null', 'null', ['body must be an object']],
  ['broken JSON', '{"stage":', ['body must be valid JSON']],
])('rejects %s', async (_name, body, issues) => {
  const reply = await holder.ask('PATCH', '/dapp/sales', { body });
  expect(reply.envelope).toEqual({
    success: false,
    statusCode: 400,
    code: 'VALIDATION_FAILED',
    message: 'Validation failed',
    data: issues,
  });
});

it.each(['7', '%00', '019a8f3e-7c00-7000-8000-00000000000', "' OR true --"])(
  'refuses the id %s',
  async (id) => {
    const reply = await holder.ask('PATCH', `/dapp/sales?id=${id}`, { body: { stage: 'CLOSED' } });
    expect(reply.envelope).toMatchObject({ statusCode: 400, data: ['id must be a UUID'] });
  },
);

it('names the faults of query and body together', async () => {
  const reply = await holder.ask('PATCH', '/dapp/sales?id=7', { body: { stage: 'WON' } });
  expect(reply.envelope).toMatchObject({ statusCode: 400, data: ['id must be a UUID', stages] });
});

it('rejects a body of 10 MB with 413', async () => {
  const reply = await holder.ask('PATCH', '/dapp/sales', { body: { description: 'x'.repeat(10_000_000) } });
  expect(reply.envelope).toMatchObject({ statusCode: 413, data: null });
});
