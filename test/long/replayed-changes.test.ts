import { createPrivateKey, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startService, withUsedDataFolder } from '../support/service-process.ts';
import { type BoundOptions, signBound } from '../support/sign-bound.ts';

interface Demo {
  readonly holders: readonly {
    readonly secretKey: string;
    readonly clientIds: { readonly ready: string };
  }[];
}

const rounds = 20;
const connections = 64;

it('a captured change is accepted once by 4 processes over 64 connections', { timeout: 120_000 }, () =>
  withUsedDataFolder(async (folder) => {
    const service = startService({ KEYFRONT_DATA: folder, WORKERS: '4', RATE_LIMIT: 'off', PORT: '0' });
    const baseUrl = await service.ready;
    const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo;
    const key = createPrivateKey(Buffer.from(demo.holders[0]?.secretKey ?? '', 'base64'));
    const url = `${baseUrl}/dapp/clients`;
    for (let round = 0; round < rounds; round++) {
      const body = JSON.stringify({
        firstName: 'Ada',
        lastName: 'Example',
        email: `${randomUUID()}@example.org`,
      });
      const headers = {
        'content-type': 'application/json',
        ...signBound(key, { method: 'POST', url, body }),
      };
      const statuses = await Promise.all(
        Array.from({ length: connections }, async () => {
          const answer = await fetch(url, { method: 'POST', headers, body });
          return `${answer.status} ${/the nonce was used before/.exec(answer.headers.get('www-authenticate') ?? '')}`;
        }),
      );
      const repeated = Array(connections - 1).fill('401 the nonce was used before');
      expect(statuses.toSorted()).toEqual(['201 null', ...repeated]);
    }
  }),
);

it('a change that a user has agreed to is made once by 4 processes', { timeout: 120_000 }, () =>
  withUsedDataFolder(async (folder) => {
    const service = startService({ KEYFRONT_DATA: folder, WORKERS: '4', RATE_LIMIT: 'off', PORT: '0' });
    const url = (await service.ready).replace('/api/v1', '/mcp');
    const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo;
    const key = createPrivateKey(Buffer.from(demo.holders[0]?.secretKey ?? '', 'base64'));
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
    };
    const call = async (name: string, params: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, ...params, _meta } };
      const body = JSON.stringify(message);
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': name,
        ...signBound(key, { method: 'POST', url, body }),
      };
      return (await fetch(url, { method: 'POST', headers, body })).text();
    };
    const inputResponses = { confirm: { action: 'accept', content: {} } };
    const clientId = demo.holders[0]?.clientIds.ready;
    for (let round = 0; round < 5; round++) {
      const params = { arguments: { clientId, marketingConsent: round % 2 === 0 } };
      const asked = JSON.parse(await call('updateMarketingConsent', params));
      const agreed = { ...params, inputResponses, requestState: asked.result.requestState };
      const answers = await Promise.all(
        Array.from({ length: connections }, () => call('updateMarketingConsent', agreed)),
      );
      const used = answers.filter((answer) => answer.includes('CONFIRMATION_USED'));
      expect(used).toHaveLength(connections - 1);
      expect(answers.filter((answer) => answer.includes('structuredContent'))).toHaveLength(1);
    }
  }),
);

interface Replay {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Sends a request with any `Host`, and returns its status and why it was refused. */
function send({ method, url, headers, body }: Replay, agent: Agent): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      response.resume();
      const [, reason = ''] =
        /error_description="(.*)"$/.exec(response.headers['www-authenticate'] ?? '') ?? [];
      response.on('end', () => resolve([response.statusCode ?? 0, reason]));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

it('a captured request opens nothing else, by 4 processes over 64 connections', { timeout: 120_000 }, () =>
  withUsedDataFolder(async (folder) => {
    const service = startService({ KEYFRONT_DATA: folder, WORKERS: '4', RATE_LIMIT: 'off', PORT: '0' });
    const baseUrl = await service.ready;
    const demo = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as Demo;
    const key = createPrivateKey(Buffer.from(demo.holders[0]?.secretKey ?? '', 'base64'));
    const json = { 'content-type': 'application/json' };
    const body = '{"firstName":"Ada","lastName":"Example","email":"ada@example.org"}';
    const clients = `${baseUrl}/dapp/clients`;
    const read = (options: BoundOptions = {}): Replay => ({
      method: 'GET',
      url: `${clients}?take=5`,
      headers: signBound(key, { method: 'GET', url: `${clients}?take=5` }, options),
    });
    const change = (options: BoundOptions = {}): Replay => ({
      method: 'POST',
      url: clients,
      body,
      headers: { ...json, ...signBound(key, { method: 'POST', url: clients, body }, options) },
    });
    const now = Math.floor(Date.now() / 1_000);
    const mismatch = /^signature does not match this request/;
    const replays: [replay: Replay, reason: RegExp][] = [
      [{ ...read(), url: `${baseUrl}/dapp/orders?take=5` }, mismatch],
      [{ ...read(), url: `${clients}?take=6` }, mismatch],
      [{ ...read(), url: clients }, mismatch],
      [{ ...read(), method: 'DELETE' }, /^signature-input must have a nonce/],
      [{ ...read(), headers: { ...read().headers, host: 'other.example' } }, mismatch],
      [read({ created: now - 400 }), /^created is \d+ seconds before the time of the service/],
      [read({ created: now + 400 }), /^created is \d+ seconds after the time of the service/],
      [{ ...change(), body: body.replace('Ada', 'Eve') }, /content-digest/],
      [{ ...change(), method: 'PUT', url: clients }, /.*/],
      [{ ...change(), url: `${baseUrl}/dapp/orders` }, mismatch],
      [{ ...change(), url: `${clients}?a=b` }, mismatch],
      [{ ...change(), headers: { ...change().headers, host: 'other.example' } }, mismatch],
      [change({ created: now - 400 }), /^created is/],
    ];
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    expect((await send(read(), agent))[0]).toBe(200);
    const outcomes = await Promise.all(
      Array.from({ length: rounds }, () => replays)
        .flat()
        .map(async ([replay, reason]) => ({ reason, outcome: await send(replay, agent) })),
    );
    for (const { reason, outcome } of outcomes) {
      // A method that the path does not have is refused before its signature is read.
      expect([401, 405]).toContain(outcome[0]);
      if (outcome[0] === 401) expect(outcome[1]).toMatch(reason);
    }
    agent.destroy();
    const answer = await fetch(clients, { headers: signBound(key, { method: 'GET', url: clients }) });
    expect(await answer.text()).not.toContain('Eve');
  }),
);
