import { failure, type Planet } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { hostileBodies, tooLargeBody } from '../../support/hostile-requests.ts';
import { dataOf, issuesOf, openStorefront } from '../../support/storefront.ts';

describe('createPlanet, 400', async () => {
  const { holder, admin, sql } = await openStorefront();

  const name = `Refused ${holder.tokenId}`;
  const planet = { number: 1_000 * holder.tokenId, name };

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown): Promise<unknown> {
    return issuesOf(await admin.ask('POST', '/admin/planets', { body }));
  }

  it('reports all missing fields at once', async () => {
    const missing = ['number is required', 'name is required'];
    expect(await listIssues({})).toEqual(missing);
    expect(await listIssues(undefined)).toEqual(missing);
  });

  it.each([
    ['number', '7', ['number must be an integer number']],
    ['number', 1.5, ['number must be an integer number']],
    ['number', null, ['number must be an integer number']],
    ['number', 0, ['number must not be less than 1']],
    ['number', -7, ['number must not be less than 1']],
    ['number', 1_000_000_000, ['number must not be greater than 999999999']],
    ['number', 1e300, ['number must not be greater than 999999999']],
    ['name', 7, ['name must be a string']],
    ['name', null, ['name must be a string']],
    ['name', '', ['name should not be empty']],
    ['name', ' \t', ['name should not be empty']],
    ['name', 'a'.repeat(101), ['name must be shorter than or equal to 100 characters']],
    ['description', {}, ['description must be a string']],
    ['description', 'a'.repeat(2001), ['description must be shorter than or equal to 2000 characters']],
    ['imageUrl', 7, ['imageUrl must be a string or null']],
    ['imageUrl', '', ['imageUrl should not be empty']],
    ['imageUrl', 'images/7.png', ['imageUrl must be a URL address']],
    ['imageUrl', 'javascript:alert(1)', ['imageUrl must be a URL address']],
    ['imageUrl', 'https:///7.png', ['imageUrl must be a URL address']],
    ['imageUrl', 'https://images.example/a b', ['imageUrl must be a URL address']],
    [
      'imageUrl',
      `https://images.example/${'a'.repeat(2048)}`,
      ['imageUrl must be shorter than or equal to 2048 characters'],
    ],
  ])('rejects %s when it is %j', async (field, value, issues) => {
    expect(await listIssues({ ...planet, [field]: value })).toEqual(issues);
  });

  it.each(hostileBodies)('rejects %s', async (_what, body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it('rejects a body of 10 MB with 413', async () => {
    const reply = await admin.ask('POST', '/admin/planets', { body: tooLargeBody });
    expect([reply.status, reply.envelope.message]).toEqual([413, 'The body is larger than 16 KiB']);
  });

  it('created no planet in the tests above', async () => {
    expect(
      await sql('SELECT FROM planets WHERE number = $1 OR name = $2', [planet.number, planet.name]),
    ).toEqual([]);
  });
});

describe('createPlanet, 403', async () => {
  const { holder, sql } = await openStorefront();

  const ownNumber = (place: number) => 1_000 * holder.tokenId + place;
  it('requires an administrator, even for an invalid body', async () => {
    const number = ownNumber(1);
    for (const body of [{ number, name: `Planet ${number}` }, {}]) {
      const reply = await holder.signedIn.ask('POST', '/admin/planets', { body });
      expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
    }
    expect(await sql('SELECT FROM planets WHERE number = $1', [number])).toEqual([]);
  });
});

describe('createPlanet, 409', async () => {
  const { holder, admin, sql } = await openStorefront();

  const ownNumber = (place: number) => 1_000 * holder.tokenId + place;
  it('rejects a number that another planet has', async () => {
    const number = ownNumber(2);
    await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } });
    const reply = await admin.ask('POST', '/admin/planets', { body: { number, name: `Other ${number}` } });
    expect(reply.status).toBe(409);
    expect(reply.envelope).toEqual(
      failure('NUMBER_TAKEN', `A planet with the number ${number} exists already`),
    );
  });

  it('rejects a name that another planet has, in any case', async () => {
    const number = ownNumber(3);
    await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } });
    const name = `pLANET ${number}`;
    const reply = await admin.ask('POST', '/admin/planets', { body: { number: number + 1, name } });
    expect(reply.status).toBe(409);
    expect(reply.envelope).toEqual(failure('NAME_TAKEN', `A planet with the name ${name} exists already`));
    expect(await sql('SELECT FROM planets WHERE number = $1', [number + 1])).toEqual([]);
  });

  it('makes one planet of many that are asked for at once with the same name', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, place) =>
        admin.ask('POST', '/admin/planets', {
          body: { number: ownNumber(10 + place), name: `Race ${holder.tokenId}` },
        }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const made = replies.filter(({ status }) => status === 201).map((reply) => dataOf<Planet>(reply).id);
    const rows = await sql<{ id: string }>('SELECT id FROM planets WHERE name = $1', [
      `Race ${holder.tokenId}`,
    ]);
    expect(rows.map(({ id }) => id)).toEqual(made);
  });
});

describe('updatePlanet, 400', async () => {
  const { admin, sql } = await openStorefront();

  const [planet] = await sql<{ id: string; updated_at: Date }>(
    'SELECT id, updated_at FROM planets WHERE number = 1',
  );
  const path = `/admin/planets/${planet?.id}`;

  /** Sends an invalid body and returns the validation issues. */
  async function listIssues(body: unknown, to = path): Promise<unknown> {
    return issuesOf(await admin.ask('PATCH', to, { body }));
  }

  it('rejects a change that names none of its fields', async () => {
    for (const body of [{}, undefined]) {
      expect(await listIssues(body)).toEqual([
        'body must have at least one of the fields number, name, description, imageUrl',
      ]);
    }
  });

  it.each([
    [{ number: '7' }, ['number must be an integer number']],
    [{ number: '' }, ['number must be an integer number']],
    [{ number: 0 }, ['number must not be less than 1']],
    [{ number: 1_000_000_000 }, ['number must not be greater than 999999999']],
    [{ name: false }, ['name must be a string']],
    [{ name: '' }, ['name should not be empty']],
    [{ name: 'a'.repeat(101) }, ['name must be shorter than or equal to 100 characters']],
    [{ description: 7 }, ['description must be a string']],
    [{ description: 'a'.repeat(2001) }, ['description must be shorter than or equal to 2000 characters']],
    [{ imageUrl: false }, ['imageUrl must be a string or null']],
    [{ imageUrl: 'ftp://a.example/' }, ['imageUrl must be a URL address']],
    [{ number: 0, name: 7 }, ['number must not be less than 1', 'name must be a string']],
  ])('rejects %j', async (body, issues) => {
    expect(await listIssues(body)).toEqual(issues);
  });

  it.each(hostileBodies)('rejects %s', async (_what, body, issue) => {
    expect(await listIssues(body)).toEqual([issue]);
  });

  it.each(['7', 'Verdane', '%00', '019a8f3e-7c00-7000-8000-00000000dea'])(
    'refuses %s, which is no UUID, together with what is wrong in the body',
    async (planetId) => {
      expect(await listIssues({ number: 0 }, `/admin/planets/${planetId}`)).toEqual([
        'planetId must be a UUID',
        'number must not be less than 1',
      ]);
    },
  );

  it('rejects a body of 10 MB with 413', async () => {
    const reply = await admin.ask('PATCH', path, { body: tooLargeBody });
    expect([reply.status, reply.envelope.message]).toEqual([413, 'The body is larger than 16 KiB']);
  });

  it('changed nothing in the tests above', async () => {
    expect(await sql('SELECT id, updated_at FROM planets WHERE number = 1')).toEqual([planet]);
  });
});

describe('updatePlanet, 403', async () => {
  const { holder, admin, sql } = await openStorefront();

  let lastNumber = 1_000 * holder.tokenId;

  async function createPlanet(): Promise<Planet> {
    const number = ++lastNumber;
    return dataOf<Planet>(
      await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } }),
    );
  }

  it('requires an administrator', async () => {
    const planet = await createPlanet();
    const reply = await holder.signedIn.ask('PATCH', `/admin/planets/${planet.id}`, {
      body: { name: 'Mine' },
    });
    expect(reply.status).toBe(403);
    expect(reply.envelope).toEqual(failure('ADMINISTRATOR_REQUIRED'));
    expect(await sql('SELECT name FROM planets WHERE id = $1', [planet.id])).toEqual([{ name: planet.name }]);
  });
});

describe('updatePlanet, 409', async () => {
  const { holder, admin, sql } = await openStorefront();

  let lastNumber = 1_000 * holder.tokenId;

  async function createPlanet(): Promise<Planet> {
    const number = ++lastNumber;
    return dataOf<Planet>(
      await admin.ask('POST', '/admin/planets', { body: { number, name: `Planet ${number}` } }),
    );
  }

  it('rejects the number or the name of another planet, and changes nothing', async () => {
    const [one, other] = [await createPlanet(), await createPlanet()];
    const ask = (body: object) => admin.ask('PATCH', `/admin/planets/${one.id}`, { body });
    const number = await ask({ number: other.number, description: 'New' });
    expect(number.status).toBe(409);
    expect(number.envelope).toEqual(
      failure('NUMBER_TAKEN', `A planet with the number ${other.number} exists already`),
    );
    const name = other.name.toUpperCase();
    const named = await ask({ name, description: 'New' });
    expect(named.status).toBe(409);
    expect(named.envelope).toEqual(failure('NAME_TAKEN', `A planet with the name ${name} exists already`));
    const { planets } = dataOf<{ planets: Planet[] }>(await holder.ask('GET', '/planets'));
    expect(planets.find(({ id }) => id === one.id)).toEqual(one);
    expect(await sql(`SELECT FROM audit WHERE subject_id = $1 AND action = 'CHANGE'`, [one.id])).toEqual([]);
  });
});
