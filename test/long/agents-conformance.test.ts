import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { needs } from '../support/requirements.ts';
import { openStorefront } from '../support/storefront.ts';

const { holder, service } = await openStorefront();

/** The suite cannot send a credential: this passes its requests on with one, as if it had called the service itself. */
async function startProxy(): Promise<string> {
  const token = await holder.beginSession();
  const { host } = new URL(service.origin);
  const server = createServer((incoming, outgoing) => {
    const own = incoming.socket.localPort;
    const headers = JSON.parse(JSON.stringify(incoming.headers).replaceAll(`127.0.0.1:${own}`, host));
    const passed = request(
      new URL(incoming.url ?? '', service.origin),
      { method: incoming.method ?? 'GET', headers: { ...headers, authorization: `Bearer ${token}` } },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/** Runs scenarios of the suite, and returns the checks of each by its name. */
async function runSuite(flags: readonly string[]): Promise<[scenario: string, check: Check][]> {
  const folder = mkdtempSync(join(tmpdir(), 'keyfront-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = await startProxy();
  // It ends with 1, because the service does not have everything that there is in the protocol.
  await new Promise((resolve) => {
    execFile('conformance', ['server', '--url', url, ...flags, '--output-dir', folder], resolve);
  });
  return readdirSync(folder).flatMap((name) => {
    const scenario = name.replace(/^server-(.*?)-\d{4}-\d\d-\d\dT.*$/, '$1');
    const checks: Check[] = JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8'));
    return checks.map((check): [string, Check] => [scenario, check]);
  });
}

/** Parts of the protocol that the service does not have. It names none of them among its capabilities. */
const notOffered =
  /^(prompts-|completion-|logging-|resources-(un)?subscribe|tasks-)|prompts-list|with-logging|non-tool-/;
/** Most scenarios call tools and read resources of a server that was written for them. */
const ofReferenceServer =
  /There is no (tool|resource test:)|^Not testable|^Tool '\w+' not found|^Expected InputRequiredResult|^Prerequisite failed/;

describe('the conformance suite of the protocol', needs('conformance'), () => {
  it.each([
    [
      '2026-07-28',
      ['--requirements', '2026-07-28'],
      ['server-stateless', 'http-header-validation', 'caching', 'sep-2164-resource-not-found'],
    ],
    ['2025-11-25', ['--suite', 'all', '--spec-version', '2025-11-25'], ['server-initialize', 'ping']],
  ])('finds no fault in what there is of revision %s', { timeout: 300_000 }, async (_name, flags, own) => {
    const checks = await runSuite(flags);
    const faults = checks
      .filter(([, { status }]) => status === 'FAILURE')
      .filter(([scenario, { id }]) => !notOffered.test(scenario) && !notOffered.test(id))
      .filter(([, { errorMessage = '' }]) => !ofReferenceServer.test(errorMessage));
    expect(faults).toEqual([]);
    const passed = checks.filter(([, { status }]) => status === 'SUCCESS').map(([scenario]) => scenario);
    const shared = ['tools-list', 'resources-list', 'dns-rebinding-protection'];
    expect(passed).toEqual(expect.arrayContaining([...shared, ...own]));
  });
});
