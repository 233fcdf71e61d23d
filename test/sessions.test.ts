import { randomBytes } from 'node:crypto';
import type { EndedSessions, Session, SessionList } from '@keyfront/protocol';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthentication } from '../packages/server/src/boot/authentication.ts';
import { deleteExpiredSessions } from '../packages/server/src/boot/jobs/delete-expired.ts';
import { ChangeFeed } from '../packages/server/src/database/coordination/change-feed.ts';
import { Database } from '../packages/server/src/database/database.ts';
import { systemScope } from '../packages/server/src/database/transactions/scope.ts';
import { beginSession as beginSessionInTransaction } from '../packages/server/src/resources/sessions/session-rules.ts';
import { beginSession, readSessionId } from './support/begin-session.ts';
import { type BlackHole, startBlackHole } from './support/black-hole.ts';
import { type GuardedApp, readData, startGuardedApp } from './support/guarded-app.ts';
import { signWithOpenssl } from './support/openssl.ts';
import { noLimits, startTestAppOn, type TestApp } from './support/test-app.ts';
import { runSql } from './support/test-database.ts';

let service: GuardedApp;
/** A second instance on the same database. */
let other: TestApp;
let closeOther: () => Promise<void>;
/** Between the second instance and what tells it of changes. */
let network: BlackHole;

beforeAll(async () => {
  service = await startGuardedApp();
  const { tokens } = service;
  const database = new Database({ url: service.loginUrl, poolSize: 3 });
  network = await startBlackHole(service.loginUrl);
  const feed = new ChangeFeed({ url: network.url });
  const { guard, close } = createAuthentication({
    ...{ database, feed, tokens, limits: noLimits, adminWallets: [service.admin.address.toLowerCase()] },
    publicUrl: null,
    logger: { warn: () => undefined },
  });
  await feed.start();
  other = await startTestAppOn({ ...service, database }, { guard, tokens });
  closeOther = async () => {
    await other.app.close();
    await close();
    await feed.close();
    await network.close();
    await database.close();
  };
});
afterAll(async () => {
  await closeOther();
  await service.close();
});

const sql = <Row extends object>(text: string, values: unknown[] = []) =>
  runSql<Row & Record<string, unknown>>(service.ownerUrl, text, values);

const get = async (token: string, origin: string, path = '/planets') => {
  const response = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response;
};
/** What each instance says to the token, and why. */
const statusesOf = async (token: string) => {
  const responses = await Promise.all([service.origin, other.origin].map((origin) => get(token, origin)));
  return responses.map(({ status }) => status);
};
const listSessions = async (token: string) =>
  readData<SessionList>(await service.call(token, 'GET', '/auth/sessions')).sessions;
const currentOf = async (token: string): Promise<Session> => {
  const session = (await listSessions(token)).find(({ isCurrent }) => isCurrent);
  if (!session) throw new Error('No session is current');
  return session;
};
const signedHeaders = () => ({
  'x-auth-apikey': service.key.apiKey,
  'x-auth-signature': signWithOpenssl(service.key, '{}'),
});
const endAll = (account: PrivateKeyAccount) =>
  sql('UPDATE keyfront.sessions SET expires_at = now() WHERE wallet_address = $1', [
    account.address.toLowerCase(),
  ]);

describe('POST /auth/signOut', () => {
  it('ends the token at once on every instance, and no other token', async () => {
    const [token, another] = [await service.signIn(service.ada), await service.signIn(service.ada)];
    expect([await statusesOf(token), await statusesOf(another)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect(readData<EndedSessions>(await service.call(token, 'POST', '/auth/signOut'))).toEqual({
      endedCount: 1,
    });
    expect([await statusesOf(token), await statusesOf(another)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
  });

  it('ends the token also on an instance that does not know that PostgreSQL has ended its connection', {
    tags: ['long'],
  }, async () => {
    const token = await service.signIn(service.ada);
    expect(await statusesOf(token)).toEqual([200, 200]);
    network.swallow();
    network.restore();
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'keyfront changes' AND datname = current_database()`,
    );
    await service.call(token, 'POST', '/auth/signOut');
    expect(await statusesOf(token)).toEqual([401, 401]);
  });

  it('ends the session that a repeated sign-in gives, for good', async () => {
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${service.base}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const { data } = (await response.json()) as { data: Record<string, string> | null };
      return { status: response.status, data };
    };
    const nonce = await post('/auth/nonce', { walletAddress: service.ada.address });
    const message = nonce.data?.message ?? '';
    const body = { message, signature: await service.ada.signMessage({ message }) };
    const replies = await Promise.all(Array.from({ length: 10 }, () => post('/auth/signIn', body)));
    replies.push(await post('/auth/signIn', body));
    const [first] = replies;
    expect(first?.status).toBe(201);
    for (const reply of replies) expect(reply).toEqual(first);
    const token = first?.data?.token ?? '';
    expect((await service.call(token, 'POST', '/auth/signOut')).status).toBe(200);
    expect((await post('/auth/signIn', body)).status).toBe(401);
    expect((await service.call(token, 'GET', '/auth/sessions')).status).toBe(401);
  });

  it('says why the token is refused, also when it signs out again', async () => {
    const token = await service.signIn(service.ada);
    await service.call(token, 'POST', '/auth/signOut');
    const again = await service.call(token, 'POST', '/auth/signOut');
    expect(again.json).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID', message: 'Unauthorized' });
    expect(again.headers.get('www-authenticate')).toContain(
      'the session of the token has ended: sign in again',
    );
  });

  it('is counted once, however many requests end the session at the same time', {
    tags: ['long'],
  }, async () => {
    for (const [method, path] of [
      ['POST', '/auth/signOut'],
      ['DELETE', '/auth/sessions'],
    ] as const) {
      await endAll(service.ben);
      const token = await service.signIn(service.ben);
      const replies = await Promise.all(Array.from({ length: 12 }, () => service.call(token, method, path)));
      const counts = replies
        .filter(({ status }) => status === 200)
        .map((reply) => readData<EndedSessions>(reply).endedCount);
      expect([path, counts.filter((count) => count > 0)]).toEqual([path, [1]]);
      expect(await statusesOf(token)).toEqual([401, 401]);
    }
  });

  it('signs an administrator out', async () => {
    const token = await service.signIn(service.admin, 'admin');
    expect(await statusesOf(token)).toEqual([200, 200]);
    expect((await service.call(token, 'POST', '/auth/signOut')).status).toBe(200);
    expect(await statusesOf(token)).toEqual([401, 401]);
  });

  it('refuses an API key', async () => {
    const headers = signedHeaders();
    const response = await fetch(`${service.base}/auth/signOut`, { method: 'POST', headers });
    expect(await response.json()).toMatchObject({ statusCode: 401, code: 'TOKEN_REQUIRED' });
  });

  it('accepts no request that begins after the response, while many run', async () => {
    for (let round = 0; round < 3; round++) {
      const token = await service.signIn(service.ben);
      let signedOutAt = Number.POSITIVE_INFINITY;
      const late: number[] = [];
      let before = 0;
      const caller = async (origin: string) => {
        for (let afterwards = 0; afterwards < 2; ) {
          const beganAt = performance.now();
          const { status } = await get(token, origin);
          if (beganAt > signedOutAt) {
            late.push(status);
            afterwards++;
          } else if (status === 200) before++;
        }
      };
      const callers = [service.origin, other.origin].flatMap((origin) =>
        Array.from({ length: 4 }, () => caller(origin)),
      );
      await expect.poll(() => before).toBeGreaterThan(20);
      expect((await service.call(token, 'POST', '/auth/signOut')).status).toBe(200);
      signedOutAt = performance.now();
      await Promise.all(callers);
      expect(late).toEqual(Array.from({ length: 16 }, () => 401));
    }
  });
});

describe('a wallet that may do nothing else any more', () => {
  it('lists and ends its sessions, and signs out, also without a digital key', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const [token, another, lost] = [
      await service.beginSession(wallet),
      await service.beginSession(wallet),
      await service.beginSession(wallet),
    ];
    expect(await statusesOf(token)).toEqual([403, 403]);
    expect(await listSessions(token)).toHaveLength(3);
    const { id } = await currentOf(lost);
    expect((await service.call(token, 'DELETE', `/auth/sessions/${id}`)).status).toBe(200);
    expect((await service.call(token, 'POST', '/auth/signOut')).status).toBe(200);
    expect((await service.call(another, 'DELETE', '/auth/sessions')).json).toMatchObject({
      data: { endedCount: 1 },
    });
    for (const each of [token, another, lost]) expect(await statusesOf(each)).toEqual([401, 401]);
  });

  it('signs out, also if it is no longer that of an administrator', async () => {
    const token = await beginSession(sql, service.tokens, {
      walletAddress: service.ben.address,
      role: 'administrator',
    });
    expect(await statusesOf(token)).toEqual([401, 401]);
    expect((await service.call(token, 'POST', '/auth/signOut')).status).toBe(200);
    const again = await service.call(token, 'POST', '/auth/signOut');
    expect(again.headers.get('www-authenticate')).toContain('the session of the token has ended');
  });
});

describe('GET /auth/sessions', () => {
  it('lists the live sessions of the wallet, newest first, and which one is current', async () => {
    await endAll(service.ada);
    const first = await service.signIn(service.ada);
    const second = await service.signIn(service.ada);
    await service.signIn(service.ben);
    const sessions = await listSessions(first);
    const host = new URL(service.origin).host;
    const session = { id: expect.any(String), role: 'holder', domain: host };
    expect(sessions).toEqual([
      { ...session, createdAt: expect.any(String), expiresAt: expect.any(String), isCurrent: false },
      { ...session, createdAt: expect.any(String), expiresAt: expect.any(String), isCurrent: true },
    ]);
    for (const { createdAt, expiresAt } of sessions) {
      expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(24 * 3_600_000);
    }
    expect(await currentOf(second)).toMatchObject({ id: sessions[0]?.id });
  });

  it('shows administrators theirs, which last one hour', async () => {
    const token = await service.signIn(service.admin, 'admin');
    const session = await currentOf(token);
    expect(session.role).toBe('administrator');
    expect(Date.parse(session.expiresAt) - Date.parse(session.createdAt)).toBe(3_600_000);
  });
});

describe('DELETE /auth/sessions/{sessionId}', () => {
  it('ends another session of the wallet at once on every instance', async () => {
    const [token, lost] = [await service.signIn(service.ada), await service.signIn(service.ada)];
    expect(await statusesOf(lost)).toEqual([200, 200]);
    const session = await currentOf(lost);
    const end = () => service.call(token, 'DELETE', `/auth/sessions/${session.id}`);
    const ended = readData<Session>(await end());
    expect(ended).toEqual({ ...session, isCurrent: false, expiresAt: ended.expiresAt });
    expect(Date.parse(ended.expiresAt)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect([await statusesOf(lost), await statusesOf(token)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
    expect(readData<Session>(await end())).toEqual(ended);
  });

  it('is 403 for a session of another wallet, also to an administrator, and 404 for none', async () => {
    const token = await service.signIn(service.ada);
    const others = await currentOf(await service.signIn(service.ben));
    const admin = await service.signIn(service.admin, 'admin');
    for (const caller of [token, admin]) {
      expect((await service.call(caller, 'DELETE', `/auth/sessions/${others.id}`)).json).toMatchObject({
        statusCode: 403,
        code: 'NOT_OWNED',
        message: 'The session belongs to another holder',
      });
    }
    const none = '019a8f3e-7c00-7000-8000-000000000151';
    expect((await service.call(token, 'DELETE', `/auth/sessions/${none}`)).json).toMatchObject({
      statusCode: 404,
      message: 'Session not found',
    });
  });
});

describe('DELETE /auth/sessions', () => {
  it('ends all sessions of the wallet, and leaves those of others and API keys', async () => {
    await endAll(service.ada);
    const tokens = [await service.signIn(service.ada), await service.signIn(service.ada)];
    const [token = ''] = tokens;
    const others = await service.signIn(service.ben);
    for (const each of tokens) expect(await statusesOf(each)).toEqual([200, 200]);
    expect(readData<EndedSessions>(await service.call(token, 'DELETE', '/auth/sessions'))).toEqual({
      endedCount: 2,
    });
    for (const each of tokens) expect(await statusesOf(each)).toEqual([401, 401]);
    expect(await statusesOf(others)).toEqual([200, 200]);
    const signed = await fetch(`${service.base}/planets`, { headers: signedHeaders() });
    expect(signed.status).toBe(200);
  });

  it('keeps the current session if the caller wants that', async () => {
    await endAll(service.ada);
    const [token, another] = [await service.signIn(service.ada), await service.signIn(service.ada)];
    const path = '/auth/sessions?keepCurrent=true';
    expect(readData<EndedSessions>(await service.call(token, 'DELETE', path))).toEqual({ endedCount: 1 });
    expect([await statusesOf(token), await statusesOf(another)]).toEqual([
      [200, 200],
      [401, 401],
    ]);
    expect(readData<EndedSessions>(await service.call(token, 'DELETE', path))).toEqual({ endedCount: 0 });
  });
});

describe('the number of sessions', () => {
  it('is bounded: the 101st sign-in of a wallet ends the oldest session', { tags: ['long'] }, async () => {
    await endAll(service.ben);
    const oldest = await service.signIn(service.ben);
    const second = await service.signIn(service.ben);
    // The times of sessions are in seconds, and all of them may begin within one.
    for (const [token, age] of [
      [oldest, '2 minutes'],
      [second, '1 minute'],
    ] as const) {
      await sql('UPDATE keyfront.sessions SET created_at = created_at - $2::interval WHERE id = $1', [
        readSessionId(token),
        age,
      ]);
    }
    for (let count = 2; count < 100; count++) await service.beginSession(service.ben);
    expect(await statusesOf(oldest)).toEqual([200, 200]);
    const newest = await service.signIn(service.ben);
    await expect.poll(() => statusesOf(oldest)).toEqual([401, 401]);
    expect([await statusesOf(second), await statusesOf(newest)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    expect(await listSessions(newest)).toHaveLength(100);
  });

  it('is bounded also for sign-ins at the same time', async () => {
    await endAll(service.ben);
    const [repeatableUntil, createdAt] = [new Date().toISOString(), new Date()];
    const session = {
      walletAddress: service.ben.address.toLowerCase(),
      role: 'holder' as const,
      ...{ domain: 'shop.example', repeatableUntil, createdAt, expiresAt: new Date(Date.now() + 3_600_000) },
    };
    const beginOne = () =>
      service.database.transaction(systemScope, (tx) =>
        beginSessionInTransaction(tx, { ...session, signInHash: randomBytes(32) }),
      );
    await Promise.all(Array.from({ length: 130 }, beginOne));
    const live = await sql('SELECT FROM keyfront.sessions WHERE wallet_address = $1 AND expires_at > now()', [
      session.walletAddress,
    ]);
    expect(live).toHaveLength(100);
  });

  it('does not grow: what has ended or expired is deleted', async () => {
    await endAll(service.ben);
    const token = await service.signIn(service.ben);
    await deleteExpiredSessions.work(service.database, new AbortController().signal);
    const rows = await sql<{ expires_at: Date }>(
      'SELECT expires_at FROM keyfront.sessions WHERE expires_at <= now()',
    );
    expect(rows).toEqual([]);
    expect(await statusesOf(token)).toEqual([200, 200]);
  });
});

describe('an instance that no longer hears of changes', () => {
  it('asks the database for each request, so a signed-out token is refused there too', async () => {
    const token = await service.signIn(service.ada);
    expect(await statusesOf(token)).toEqual([200, 200]);
    await sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'keyfront changes' AND datname = current_database()`,
    );
    expect((await service.call(token, 'POST', '/auth/signOut')).status).toBe(200);
    expect(await statusesOf(token)).toEqual([401, 401]);
  });
});
