import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@keyfront/embedded-postgres';
import { statement } from '@keyfront/postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { needs } from '../../../../../test/support/requirements.ts';
import { startOldestPostgres } from '../../../../../test/support/start-oldest-postgres.ts';
import { createTestDatabase, runSql } from '../../../../../test/support/test-database.ts';
import { Database } from '../database.ts';
import { migrate } from './migrate.ts';
import { type Migration, readMigrations } from './migrations.ts';

interface Server {
  /** As a superuser. */
  readonly ownerUrl: string;
  stop(): Promise<void>;
}

/** Servers of their own, because roles belong to the server and the tests of other files need theirs. */
const servers = [
  {
    name: 'the embedded PostgreSQL',
    options: {},
    start: (dataFolder: string): Promise<Server> =>
      startEmbeddedPostgres({
        dataFolder,
        database: 'shop',
        owner: { name: 'root', password: 'x' },
        login: { name: 'plain', password: 'x' },
        durable: false,
      }),
    /** Whether memberships have options, as since PostgreSQL 16. */
    hasOptions: true,
  },
  { name: 'PostgreSQL 15', options: needs('PostgreSQL 15'), start: startOldestPostgres, hasOptions: false },
];

let migrations: Migration[];
beforeAll(async () => {
  migrations = await readMigrations();
});

for (const { name, options, start, hasOptions } of servers)
  describe(`on ${name}`, options, () => {
    let server: Server;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'keyfront-roles-'));
      server = await start(folder);
    });
    afterAll(async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    beforeEach(() =>
      runSql(
        server.ownerUrl,
        `DO $$
     DECLARE name text;
     BEGIN
       DROP SCHEMA IF EXISTS keyfront CASCADE;
       FOR name IN SELECT rolname FROM pg_roles WHERE rolname ~ '^keyfront_|^(owner|login)$' LOOP
         EXECUTE format('DROP OWNED BY %I CASCADE; DROP ROLE %I', name, name);
       END LOOP;
     END
     $$;
     CREATE ROLE owner LOGIN PASSWORD 'x';
     CREATE ROLE login LOGIN PASSWORD 'x';
     GRANT CREATE ON DATABASE ${new URL(server.ownerUrl).pathname.slice(1)} TO owner`,
      ),
    );

    const urlOf = (user: string) => {
      const url = new URL(server.ownerUrl);
      url.username = user;
      url.password = 'x';
      return url.href;
    };
    const urls = (login = 'owner') => ({ ownerUrl: urlOf('owner'), loginUrl: urlOf(login) });

    /** Fails unless the user can serve, under both roles. */
    async function expectServes(login: string): Promise<void> {
      const database = new Database({ url: urlOf(login), poolSize: 1 });
      try {
        await database.verifyRoles();
        const planets = statement('test.planets', 'SELECT FROM planets');
        expect(await database.queryShared(planets)).toEqual([]);
        expect(await database.query({ role: 'system' }, planets)).toEqual([]);
        if (login !== 'owner')
          await expect(runSql(urlOf(login), 'SELECT FROM keyfront.planets')).rejects.toMatchObject({
            code: '42501',
          });
      } finally {
        await database.close();
      }
    }

    describe('an owner who may create roles, but is no superuser', () => {
      beforeEach(() => runSql(server.ownerUrl, 'ALTER ROLE owner CREATEROLE'));

      it.each(['owner', 'login'])(
        'creates the roles for the user "%s", who can then serve',
        async (login) => {
          await migrate({ ...urls(login), migrations });
          await expectServes(login);
          // At the next start they exist.
          await migrate({ ...urls(login), migrations });
        },
      );

      it('takes the privileges of the roles from a user who has inherited them', async () => {
        await runSql(urlOf('owner'), 'CREATE ROLE keyfront_service; CREATE ROLE keyfront_platform');
        await runSql(urlOf('owner'), 'GRANT keyfront_service, keyfront_platform TO login');
        await migrate({ ...urls('login'), migrations });
        await expectServes('login');
        // What a later grant by somebody else gives back is noticed at the start.
        await runSql(
          server.ownerUrl,
          `ALTER ROLE login INHERIT; GRANT keyfront_platform TO login${hasOptions ? ' WITH INHERIT TRUE' : ''}`,
        );
        await expect(expectServes('login')).rejects.toThrow(
          /^The database user "login" has the privileges of the role keyfront_(service|platform) without switching to it, .+ to run "GRANT/,
        );
      });

      if (hasOptions)
        it('adds the option that a membership may lack', async () => {
          await runSql(urlOf('owner'), 'CREATE ROLE keyfront_service; CREATE ROLE keyfront_platform');
          await runSql(
            urlOf('owner'),
            'GRANT keyfront_service, keyfront_platform TO login WITH SET FALSE, INHERIT FALSE',
          );
          await migrate({ ...urls('login'), migrations });
          await expectServes('login');
        });
    });

    describe('an owner who may not create roles', () => {
      const grantAdvice =
        '"GRANT keyfront_service, keyfront_platform TO "owner" WITH INHERIT FALSE, SET TRUE;" once (before PostgreSQL 16, ' +
        '"GRANT keyfront_service, keyfront_platform TO "owner"; ALTER ROLE "owner" NOINHERIT;"), then start again.';

      it('is told what an administrator has to run for a user who inherits the roles', async () => {
        await runSql(
          server.ownerUrl,
          `CREATE ROLE keyfront_service NOLOGIN; CREATE ROLE keyfront_platform NOLOGIN;
       GRANT keyfront_service, keyfront_platform TO login`,
        );
        await expect(migrate({ ...urls('login'), migrations })).rejects.toThrow(
          /^The database user "login" has the privileges of the role keyfront_service without switching to it/,
        );
        await runSql(
          server.ownerUrl,
          hasOptions
            ? 'GRANT keyfront_service, keyfront_platform TO login WITH INHERIT FALSE, SET TRUE'
            : 'ALTER ROLE login NOINHERIT',
        );
        await migrate({ ...urls('login'), migrations });
        await expectServes('login');
      });

      it('is told in a sentence what an administrator has to run, and can serve after that', async () => {
        await expect(migrate({ ...urls(), migrations })).rejects.toThrow(
          'The database user may not create the role keyfront_service: ask a database administrator to run ' +
            '"CREATE ROLE keyfront_service NOLOGIN; CREATE ROLE keyfront_platform NOLOGIN;" and ' +
            grantAdvice,
        );
        await runSql(
          server.ownerUrl,
          'CREATE ROLE keyfront_service NOLOGIN; CREATE ROLE keyfront_platform NOLOGIN',
        );
        await expect(migrate({ ...urls(), migrations })).rejects.toThrow(
          'The database user "owner" may not switch to the role keyfront_service: ask a database administrator to run ' +
            grantAdvice,
        );
        for (const role of ['keyfront_service', 'keyfront_platform'])
          await runSql(server.ownerUrl, `GRANT ${role} TO "owner"${hasOptions ? ' WITH SET TRUE' : ''}`);
        await migrate({ ...urls(), migrations });
        await expectServes('owner');
      });
    });
  });

describe('a database that was restored', () => {
  const dropPolicies = `
    DO $$
    DECLARE policy record;
    BEGIN
      FOR policy IN SELECT polname, polrelid::regclass AS target FROM pg_policy LOOP
        EXECUTE format('DROP POLICY %I ON %s', policy.polname, policy.target);
      END LOOP;
    END
    $$`;
  const revoke = 'REVOKE ALL ON ALL TABLES IN SCHEMA keyfront FROM keyfront_service, keyfront_platform';

  it.each([
    ['into a server without the roles', `${dropPolicies}; ${revoke}`],
    ['without privileges', revoke],
    ['without the policies of one table', 'DROP POLICY platform ON keyfront.orders'],
  ])('%s fails the start with a sentence', async (_how, loss) => {
    const target = await createTestDatabase();
    try {
      await migrate({ ...target, migrations });
      await runSql(target.ownerUrl, loss);
      await expect(migrate({ ...target, migrations })).rejects.toThrow(
        /^The roles keyfront_service and keyfront_platform lack privileges .+ restore the backup again, with its privileges/,
      );
    } finally {
      await target.close();
    }
  });
});
