import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventTable } from '@keyfront/protocol';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, it } from 'vitest';
import { readDocument, readPrograms, readTables } from './support/guide-programs.ts';
import { needs } from './support/requirements.ts';
import { until } from './support/until.ts';

const guide = readDocument('docs/guides/events.md');
const folder = mkdtempSync(join(tmpdir(), 'keyfront-events-guide-'));
symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
const running: ChildProcess[] = [];
afterAll(() => {
  for (const process of running) process.kill();
  rmSync(folder, { recursive: true });
});

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const body = JSON.stringify({
  id: 'evt_1',
  type: 'order.created',
  timestamp: '2026-11-15T09:30:00.000Z',
  data: {},
});

it('lists exactly the types of events, and when they happen', () => {
  const rows = readTables(guide, 'Types')[0]?.map(([type, when]) => [type?.replaceAll('`', ''), when]);
  expect(rows).toEqual(Object.entries(eventTable).map(([type, { when }]) => [type, when]));
});

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts a receiver of the guide, and checks what it accepts. */
async function expectVerifies(command: string, parameters: (port: number) => string[]): Promise<void> {
  const port = await findPort();
  const child = spawn(command, parameters(port), {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: 'ignore',
  });
  running.push(child);
  const send = async (text: string, { at = new Date(), by = secret } = {}) => {
    const headers = {
      'content-type': 'application/json',
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': `v1,${'A'.repeat(43)}= ${new Webhook(by).sign('evt_1', at, body)}`,
    };
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: text, headers });
    return response.status;
  };
  await until(
    () => send(body).catch(() => 0),
    (status) => status === 204,
  );
  expect(await send(body.replace('evt_1', 'evt_2'))).toBe(400);
  expect(await send(body, { by: `whsec_${randomBytes(32).toString('base64')}` })).toBe(400);
  expect(await send(body, { at: new Date(Date.now() - 600_000) })).toBe(400);
}

it('has a receiver for Node that verifies', async () => {
  writeFileSync(join(folder, 'receiver.mjs'), readPrograms(guide, 'Node', 'js')[0]);
  await expectVerifies(process.execPath, () => ['receiver.mjs']);
});

it('has a receiver for Python that verifies', needs('Python'), async () => {
  writeFileSync(join(folder, 'receiver.py'), readPrograms(guide, 'Python', 'python')[0]);
  await expectVerifies('python3', () => ['receiver.py']);
});

it('has a receiver for PHP that verifies', needs('PHP'), async () => {
  writeFileSync(join(folder, 'receiver.php'), readPrograms(guide, 'PHP', 'php')[0]);
  await expectVerifies('php', (port) => ['-S', `127.0.0.1:${port}`, 'receiver.php']);
});
