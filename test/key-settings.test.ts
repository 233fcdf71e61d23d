import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { ApiKey, CreatedKey, KeyPage, RotatedKey } from '@keyfront/protocol';
import { isGuarded, keyScopes, operationList, scopesOf } from '@keyfront/protocol';
import { describe, expect, it } from 'vitest';
import { followEvents } from './support/event-data.ts';
import { openOperationRequests } from './support/operation-requests.ts';
import { signBound } from './support/sign-bound.ts';
import { dataOf, openSandbox, type Reply, type TestCaller } from './support/storefront.ts';

const storefront = await openSandbox();
const { holder, sibling, stranger, sql } = storefront;
const base = `${storefront.service.origin}/api/v1`;

const createKey = async (settings: object = {}): Promise<CreatedKey> =>
  dataOf(await holder.signedIn.ask('POST', '/keys', { body: { keyName: 'A key', ...settings } }));
const rotate = (id: string, body: object = {}) => holder.signedIn.ask('POST', `/keys/${id}/rotate`, { body });
const change = (id: string, body: object) => holder.signedIn.ask('PATCH', `/keys/${id}`, { body });
const secretOf = ({ secretKey }: CreatedKey): KeyObject =>
  createPrivateKey(Buffer.from(secretKey ?? '', 'base64'));

/** Inserts a key of the holder with these scopes. */
async function insertKey(scopes: readonly string[]): Promise<TestCaller> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  await sql(
    `INSERT INTO api_keys (holder_id, token_id, key_name, public_key, scopes) VALUES ($1, $2, 'A key', $3, $4)`,
    [holder.holderId, holder.tokenId, publicKey.export({ type: 'spki', format: 'der' }), scopes],
  );
  const apiKey = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
  return callerWithSecret(apiKey, privateKey);
}

/** Calls with a key that the service gave out, in the simple form. */
const callerOf = (key: CreatedKey): TestCaller => callerWithSecret(key.apiKey, secretOf(key));

function callerWithSecret(apiKey: string, secret: KeyObject): TestCaller {
  const prepare: TestCaller['prepare'] = (method, path, { body, headers = {} } = {}) => {
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const payload = content ?? path.split('?')[1] ?? '{}';
    return async () => {
      const answer = await fetch(base + path, {
        method,
        headers: {
          ...(content === undefined ? {} : { 'content-type': 'application/json' }),
          'x-auth-apikey': apiKey,
          'x-auth-signature': sign('sha256', Buffer.from(payload), secret).toString('base64'),
          ...headers,
        },
        ...(content === undefined ? {} : { body: content }),
      });
      return readReply(answer);
    };
  };
  return { prepare, ask: (...request) => prepare(...request)() };
}

async function readReply(answer: Response): Promise<Reply> {
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    envelope: text.startsWith('{') ? JSON.parse(text) : {},
  };
}

const outcome = ({ status, envelope }: Reply) => (status < 300 ? status : `${status} ${envelope.code}`);
const planets = async (key: CreatedKey) => outcome(await callerOf(key).ask('GET', '/planets'));

const requests = await openOperationRequests(storefront, 1);
const guarded = operationList.filter(({ access, upload }) => isGuarded(access) && !upload);
const callable = guarded.filter(({ access }) => access === 'credential');

describe('a key with the scope orders:read', async () => {
  const caller = callerOf(await createKey({ scopes: ['orders:read'] }));

  it.each(guarded)('may call $id only if that is its scope', async (operation) => {
    const { id, status, access } = operation;
    const [scope, ...further] = scopesOf(operation);
    const mayCall = scope === 'orders:read' && further.length === 0;
    const send = await (mayCall ? requests.prepare(id, { caller }) : requests.prepareRefused(id, { caller }));
    const reply = await send();
    if (mayCall) expect(outcome(reply)).toBe(status);
    else if (access === 'credential') {
      expect(outcome(reply)).toBe('403 SCOPE_MISSING');
      expect(reply.envelope.message).toBe(`The API key lacks the scope ${scope}`);
    } else expect(outcome(reply)).toBe('401 TOKEN_REQUIRED');
  });

  it('may not call operations of other scopes at their other addresses', async () => {
    expect(outcome(await caller.ask('GET', '/orders'))).toBe(200);
    expect(outcome(await caller.ask('GET', '/strains'))).toBe('403 SCOPE_MISSING');
  });
});

describe('a key with other scopes', () => {
  const callers = new Map<string, Promise<TestCaller>>();
  /** Calls with a key that has these scopes. Inserted, because there are more of them than a holder may have keys. */
  const callerWith = (scopes: readonly string[]): Promise<TestCaller> => {
    const name = scopes.join();
    const caller = callers.get(name) ?? insertKey(scopes);
    callers.set(name, caller);
    return caller;
  };

  it.each(callable)('may call $id if and only if it has the scopes of that', async (operation) => {
    const { id, status } = operation;
    const scopes = scopesOf(operation);
    for (const scope of scopes) {
      const caller = await callerWith(keyScopes.filter((each) => each !== scope));
      const refused = await (await requests.prepareRefused(id, { caller }))();
      expect([outcome(refused), refused.envelope.message]).toEqual([
        '403 SCOPE_MISSING',
        `The API key lacks the scope ${scope}`,
      ]);
    }
    const send = await requests.prepare(id, { caller: await callerWith(scopes) });
    // A key of the holder cannot reset the digital key of the call, but it is let through to be told so.
    expect(outcome(await send())).toBe(id === 'resetSandbox' ? '400 VALIDATION_FAILED' : status);
  });

  it('reads no events through a webhook without events:read', () => {
    const needing = callable.filter((operation) => scopesOf(operation).includes('events:read'));
    expect(needing.map(({ id }) => id).sort()).toEqual([
      'createWebhook',
      'getEvent',
      'listEvents',
      'replayWebhook',
      'retryWebhookDelivery',
      'streamEvents',
      'updateWebhook',
    ]);
  });
});

it('a key that may only write clients reads no medical record', async () => {
  const operation = operationList.find(({ id }) => id === 'readMedicalRecord');
  expect(operation && scopesOf(operation)).toEqual(['clients:write', 'clients:read']);
});

it('openapi.json names the scopes of each operation that API keys can call', async () => {
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
    paths: Record<
      string,
      Record<string, { operationId: string; 'x-scopes'?: string[]; description: string }>
    >;
  };
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  for (const operation of operationList) {
    const scopes = scopesOf(operation);
    const found = described.find(({ operationId }) => operationId === operation.id);
    expect([operation.id, found?.['x-scopes'] ?? []]).toEqual([operation.id, scopes]);
    for (const scope of scopes) expect(found?.description).toContain(`\`${scope}\``);
  }
  const create = described.find(({ operationId }) => operationId === 'createWebhook');
  expect(create?.description).toContain('An API key needs the scopes `webhooks:write` and `events:read`.');
});

describe('the settings of a key', () => {
  it('are those of the request, and can be changed and removed', async () => {
    const settings = {
      signatures: 'bound',
      scopes: ['clients:read', 'orders:read'],
      expiresAt: '2999-12-31T00:00:00.000Z',
      allowedNetworks: ['203.0.113.0/24', '2001:db8::/32'],
    };
    const key = await createKey(settings);
    expect(key).toMatchObject(settings);
    const page = dataOf<KeyPage>(await holder.signedIn.ask('GET', '/keys?take=100'));
    expect(page.keys.find(({ id }) => id === key.id)).toMatchObject({ ...settings, successorId: null });
    const partly = dataOf<ApiKey>(await change(key.id, { scopes: ['orders:read'] }));
    expect(partly).toMatchObject({ ...settings, scopes: ['orders:read'] });
    const none = { signatures: 'any', scopes: null, expiresAt: null, allowedNetworks: null };
    expect(dataOf<ApiKey>(await change(key.id, none))).toMatchObject({ keyName: 'A key', ...none });
  });

  it('apply as soon as the change is acknowledged', async () => {
    const key = await createKey();
    expect(await planets(key)).toBe(200);
    await change(key.id, { scopes: ['orders:read'] });
    expect(await planets(key)).toBe('403 SCOPE_MISSING');
    await change(key.id, { scopes: null, allowedNetworks: ['203.0.113.7'] });
    expect(await planets(key)).toBe('403 NETWORK_NOT_ALLOWED');
    await change(key.id, { allowedNetworks: ['10.0.0.0/8', '127.0.0.0/8'] });
    expect(await planets(key)).toBe(200);
    await change(key.id, { signatures: 'bound' });
    expect(await planets(key)).toBe('401 BOUND_SIGNATURE_REQUIRED');
    const url = `${base}/planets`;
    const bound = await fetch(url, { headers: signBound(secretOf(key), { method: 'GET', url }) });
    expect(bound.status).toBe(200);
  });

  it('name networks in one form, and those of IPv6 do not contain IPv4', async () => {
    const allowedNetworks = ['::/0', '0:0:0:0:0:ffff:10.1.2.3/104', '::ffff:10.0.0.0/104', '2001:DB8::7'];
    const key = await createKey({ allowedNetworks });
    expect(key.allowedNetworks).toEqual(['::/0', '10.0.0.0/8', '2001:db8::7/128']);
    expect(await planets(key)).toBe('403 NETWORK_NOT_ALLOWED');
    await change(key.id, { allowedNetworks: ['::ffff:127.0.0.0/104'] });
    expect(await planets(key)).toBe(200);
  });

  it('end a key in its time, which no request has to notice', async () => {
    const key = await createKey();
    expect(await planets(key)).toBe(200);
    await sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [key.id]);
    await expect.poll(() => planets(key)).toBe('401 API_KEY_EXPIRED');
    const url = `${base}/planets`;
    const bound = await fetch(url, { headers: signBound(secretOf(key), { method: 'GET', url }) });
    expect(bound.headers.get('www-authenticate')).toContain('the key has expired at');
  });

  it.each<[object, string]>([
    [{ scopes: ['orders:delete'] }, 'scopes.0 must be a scope such as orders:read'],
    [{ scopes: ['nothing:read'] }, 'scopes must not contain nothing:read: the scopes are'],
    [{ scopes: [] }, 'scopes'],
    [{ scopes: 'orders:read' }, 'scopes must be an array or null'],
    [{ allowedNetworks: 7 }, 'allowedNetworks must be an array or null'],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
    [{ expiresAt: '2999-02-30T00:00:00Z' }, 'expiresAt must be a UTC time'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt must be a UTC time'],
    [{ allowedNetworks: ['10.0.0.0/33'] }, 'allowedNetworks.0 must be a network'],
    [{ allowedNetworks: ['here'] }, 'allowedNetworks.0 must be a network'],
    [{ signatures: 'none' }, 'signatures must be one of'],
    [{}, ''],
  ])('are refused: %j', async (settings, issue) => {
    const key = await createKey();
    const reply = await change(key.id, settings);
    expect(outcome(reply)).toBe('400 VALIDATION_FAILED');
    expect(JSON.stringify(reply.envelope.data)).toContain(issue);
  });

  it('do not bring back a key that has ended, so that the number of live keys stays bounded', async () => {
    const [expired, revoked] = [await createKey(), await createKey()];
    await sql(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [expired.id]);
    await holder.signedIn.ask('DELETE', `/keys/${revoked.id}`);
    for (const { id } of [expired, revoked]) {
      for (const expiresAt of [null, '2999-12-31T00:00:00Z']) {
        const reply = await change(id, { expiresAt, keyName: 'Back again' });
        expect(outcome(reply)).toBe('403 API_KEY_ENDED');
        expect(reply.envelope.message).toBe('The API key has ended: create a new one');
      }
      // What does not bring it back may still be changed.
      const renamed = dataOf<ApiKey>(await change(id, { keyName: 'Old one', scopes: ['orders:read'] }));
      expect(renamed).toMatchObject({ keyName: 'Old one', scopes: ['orders:read'] });
    }
    expect(await planets(expired)).toBe('401 API_KEY_EXPIRED');
  });

  it('are those of the owner only', async () => {
    const key = await createKey();
    const reply = await stranger.signedIn.ask('PATCH', `/keys/${key.id}`, { body: { scopes: null } });
    expect(outcome(reply)).toBe('403 NOT_OWNED');
  });
});

describe('a key of another digital key of the wallet', () => {
  it('can be rotated and revoked, and only readers of that digital key learn of it', async () => {
    const [key] = await sql<{ id: string }>('SELECT id FROM api_keys WHERE token_id = $1', [sibling.tokenId]);
    const [events, others] = [followEvents(sibling, 'key.*'), followEvents(holder, 'key.*')];
    await Promise.all([events.readOn(), others.readOn()]);
    const successor = dataOf<RotatedKey>(await rotate(key?.id ?? '', { overlapSeconds: 3600 }));
    expect(successor.tokenId).toBe(sibling.tokenId);
    const { signedIn } = holder;
    expect(outcome(await signedIn.ask('DELETE', `/keys/${successor.id}`))).toBe(200);
    const data = { id: successor.id };
    expect(await events.waitFor('key.revoked')).toMatchObject([
      { type: 'key.created', data },
      { type: 'key.revoked', data },
    ]);
    // Earlier events of the holder may become readable only now.
    const ofOtherKeys = (await others.readOn()).filter(({ tokenId }) => tokenId !== holder.tokenId);
    expect(ofOtherKeys).toEqual([]);
  });
});

describe('a rotated key', () => {
  it('has a successor with the same settings, and both are accepted during the overlap', async () => {
    const settings = { scopes: ['planets:read'], allowedNetworks: ['127.0.0.0/8'] };
    const key = await createKey({ ...settings, keyName: 'Old' });
    expect(await planets(key)).toBe(200);
    const startedAt = Date.now();
    const successor = dataOf<RotatedKey>(await rotate(key.id, { overlapSeconds: 3600 }));
    expect(successor).toMatchObject({ ...settings, keyName: 'Old', tokenId: key.tokenId, expiresAt: null });
    expect(successor.replaces.id).toBe(key.id);
    const overlapMs = Date.parse(successor.replaces.expiresAt) - startedAt;
    expect(overlapMs).toBeGreaterThan(3_590_000);
    expect(overlapMs).toBeLessThan(3_660_000);
    expect([await planets(key), await planets(successor)]).toEqual([200, 200]);
    const page = dataOf<KeyPage>(await holder.signedIn.ask('GET', '/keys?take=100'));
    const old = page.keys.find(({ id }) => id === key.id);
    expect(old).toMatchObject({ successorId: successor.id, expiresAt: successor.replaces.expiresAt });
  });

  it('ends at once without an overlap', async () => {
    const key = await createKey();
    expect(await planets(key)).toBe(200);
    const successor = dataOf<RotatedKey>(await rotate(key.id, { overlapSeconds: 0 }));
    expect([await planets(key), await planets(successor)]).toEqual(['401 API_KEY_EXPIRED', 200]);
  });

  it('does not outlive its own expiry', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const key = await createKey({ expiresAt });
    const { replaces } = dataOf<RotatedKey>(await rotate(key.id));
    expect(replaces.expiresAt).toBe(expiresAt);
  });

  it('gives its expiry to the successor, unless the request names another one or none', async () => {
    const [expiresAt, later] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const key = await createKey({ expiresAt });
    const first = dataOf<RotatedKey>(await rotate(key.id));
    const second = dataOf<RotatedKey>(await rotate(first.id, { expiresAt: later }));
    const third = dataOf<RotatedKey>(await rotate(second.id, { expiresAt: null }));
    const fourth = dataOf<RotatedKey>(await rotate(third.id));
    expect([first, second, third, fourth].map((each) => each.expiresAt)).toEqual([
      expiresAt,
      later,
      null,
      null,
    ]);
  });

  it('may end earlier than after the overlap, but not later', async () => {
    const key = await createKey();
    const { replaces } = dataOf<RotatedKey>(await rotate(key.id, { overlapSeconds: 3600 }));
    for (const expiresAt of [null, '2999-12-31T00:00:00Z']) {
      const reply = await change(key.id, { expiresAt });
      expect(outcome(reply)).toBe('403 API_KEY_ENDED');
      expect(reply.envelope.message).toBe(
        `The API key has a successor, so it cannot end later than ${replaces.expiresAt}`,
      );
    }
    const expiresAt = new Date(Date.parse(replaces.expiresAt) - 60_000).toISOString();
    expect(dataOf<ApiKey>(await change(key.id, { expiresAt }))).toMatchObject({ expiresAt });
  });

  it('has one successor, whatever else is done to it at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const key = await createKey();
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, () => rotate(key.id)),
        ...Array.from({ length: 4 }, () => change(key.id, { scopes: ['orders:read'], expiresAt: null })),
      ]);
      const outcomes = replies.map(outcome);
      expect(outcomes.filter((each) => each === 201)).toHaveLength(1);
      expect([201, 200, '403 API_KEY_ENDED']).toEqual(expect.arrayContaining([...new Set(outcomes)]));
      const [row] = await sql('SELECT expires_at, successor_id FROM api_keys WHERE id = $1', [key.id]);
      expect(row).toEqual({ expires_at: expect.any(Date), successor_id: expect.any(String) });
      const [, revoked] = await Promise.all([
        rotate(String(row?.successor_id)),
        holder.signedIn.ask('DELETE', `/keys/${row?.successor_id}`),
      ]);
      expect(outcome(revoked)).toBe(200);
    }
  });

  it('cannot be replaced again, nor can one that has ended', async () => {
    const key = await createKey();
    await rotate(key.id);
    expect(outcome(await rotate(key.id))).toBe('403 API_KEY_ENDED');
    const revoked = await createKey();
    await holder.signedIn.ask('DELETE', `/keys/${revoked.id}`);
    expect(outcome(await rotate(revoked.id))).toBe('403 API_KEY_ENDED');
  });

  it('is refused with an overlap of more than seven days, with a key without proof, and for strangers', async () => {
    const key = await createKey();
    expect(outcome(await rotate(key.id, { overlapSeconds: 604_801 }))).toBe('400 VALIDATION_FAILED');
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const own = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' })).toString('base64');
    expect(outcome(await rotate(key.id, { publicKey: own }))).toBe('400 VALIDATION_FAILED');
    const reply = await stranger.signedIn.ask('POST', `/keys/${key.id}/rotate`, { body: {} });
    expect(outcome(reply)).toBe('403 NOT_OWNED');
    expect(await planets(key)).toBe(200);
  });
});
