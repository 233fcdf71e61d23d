import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertOrder } from '../support/order-data.ts';
import { needs } from '../support/requirements.ts';
import { openStorefront } from '../support/storefront.ts';
import { insertClient, insertStrain } from '../support/storefront-data.ts';

const { holder, service, sql } = await openStorefront();

interface Execution {
  readonly item: { readonly name: string };
  readonly response: { readonly code: number };
}

/** Runs a folder of the collection that the service serves, and returns the status of each request by its name. */
async function runFolder(folder: string, values: Record<string, string>): Promise<Record<string, number>> {
  const path = mkdtempSync(join(tmpdir(), 'keyfront-postman-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const [collection, environment, report] = ['collection', 'environment', 'report'].map((name) =>
    join(path, `${name}.json`),
  ) as [string, string, string];
  const response = await fetch(`${service.origin}/api/v1/postman.json`);
  writeFileSync(collection, await response.text());
  const variables = Object.entries(values).map(([key, value]) => ({ key, value, enabled: true }));
  writeFileSync(environment, JSON.stringify({ name: 'test', values: variables }));
  const flags = ['--folder', folder, '--environment', environment, '--reporters', 'json'];
  // It ends with 1 if a script throws, and the report says so.
  const failure = await new Promise((resolve) => {
    execFile('newman', ['run', collection, ...flags, '--reporter-json-export', report], resolve);
  });
  expect(failure).toBeNull();
  const { run } = JSON.parse(readFileSync(report, 'utf8')) as { run: { executions: Execution[] } };
  return Object.fromEntries(run.executions.map(({ item, response: { code } }) => [item.name, code]));
}

const keys = () => ({
  apiKey: holder.apiKey,
  secretKey: Buffer.from(holder.secretKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64'),
});

describe('the collection for Postman', needs('newman'), () => {
  it('signs queries and paths', async () => {
    const strain = await insertStrain(sql);
    const statuses = await runFolder('Catalogue', { ...keys(), strainId: strain.id });
    expect(Object.keys(statuses).length).toBeGreaterThan(3);
    expect(new Set(Object.values(statuses))).toEqual(new Set([200]));
  });

  it('signs bodies, each request once', async () => {
    const client = await insertClient(sql, holder.tokenId);
    const orderId = await insertOrder(sql, holder.tokenId, client.id);
    const statuses = await runFolder('Orders', { ...keys(), orderId });
    expect(statuses).toMatchObject({
      'List orders': 200,
      'Get an order': 200,
      'Update or cancel an order': 200,
    });
    // Its example orders for a client of the demo.
    expect(statuses['Create an order']).toBe(404);
  });

  it('is refused without a key', async () => {
    expect(await runFolder('Orders', {})).toMatchObject({ 'List orders': 401 });
  });
});
