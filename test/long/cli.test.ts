import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { binaryPath, findFreePort, partsOf, serve, serveProxy, withShell } from '../support/cli-shell.ts';
import { insertManyOrders } from '../support/order-data.ts';
import { needs } from '../support/requirements.ts';
import { runSql } from '../support/test-database.ts';

describe('keyfront with a service', { timeout: 240_000 }, () => {
  it('diagnoses connection problems', async () => {
    await withShell(async ({ baseUrl, demoFile, holders: [holder, second], keyfront, output }) => {
      await output('login', '--demo', demoFile);
      await output('login', '--demo', demoFile, '--wallet', '--profile', 'wallet');
      const { origin } = new URL(baseUrl);
      const runDoctor = async (env: Record<string, string>, ...args: string[]) => {
        const { code, stderr } = await keyfront(['doctor', ...args], { env });
        expect(stderr.split('\n')).toHaveLength(2);
        return `${code} ${stderr}`;
      };

      expect(await output('doctor')).toContain('No problems found.');
      const unused = `http://127.0.0.1:${await findFreePort()}`;
      expect(await runDoctor({ KEYFRONT_URL: unused })).toMatch(
        /^5 error: Cannot reach .+ECONNREFUSED\)\. Check that the service is running/,
      );
      expect(await runDoctor({ KEYFRONT_URL: `${origin}/shop` })).toMatch(
        /^5 error: .+ is not a Keyfront service \(status 404\)/,
      );
      const page = await serve((_request, response) => response.end('<!doctype html>'));
      expect(await runDoctor({ KEYFRONT_URL: page })).toMatch(/^5 error: .+ is not a Keyfront service/);

      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
      const unknown = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await runDoctor({ KEYFRONT_SECRET_KEY: unknown })).toMatch(
        /^3 error: The service does not know this API key, or the key was revoked/,
      );
      const swapped = { KEYFRONT_API_KEY: holder.apiKey, KEYFRONT_SECRET_KEY: second.secretKey };
      expect(await runDoctor(swapped)).toMatch(/^3 error: The secret key does not match the API key/);

      const signatureHeaders = ['x-auth-apikey', 'x-auth-signature', 'signature', 'signature-input'];
      const stripping = await serveProxy(baseUrl, { drops: signatureHeaders });
      expect(await runDoctor({ KEYFRONT_URL: stripping })).toMatch(
        /^3 error: Something in front of the service removes the x-auth-apikey and x-auth-signature headers/,
      );
      const late = await serveProxy(baseUrl, { aheadMs: -3_600_000 });
      expect(await runDoctor({ KEYFRONT_URL: late, KEYFRONT_PROFILE: 'wallet' })).toMatch(
        /^1 error: The clock of this machine is 60 minutes ahead of the service/,
      );
      const { code, stdout } = await keyfront(['doctor'], { env: { KEYFRONT_URL: late } });
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(
          /^warn The clock .+ Bound signatures need the correct time, within five minutes\.$/m,
        ),
      ]);
    });
  });

  it('asks for credentials on a terminal and hides the secret key', needs('script(1)'), async () => {
    await withShell(async ({ baseUrl, demoFile, folder, holders: [holder], output }) => {
      await output('login', '--demo', demoFile, '--profile', 'other');
      const child = spawn(
        'script',
        ['--quiet', '--return', '--command', `${process.execPath} ${binaryPath} login`, '/dev/null'],
        {
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', HOME: folder, SHELL: '/bin/sh', TERM: 'xterm' },
        },
      );
      let screen = '';
      const replies = [
        ['Service URL: ', baseUrl],
        ['Secret key (input is hidden): ', holder.secretKey],
      ];
      child.stdout.on('data', (chunk) => {
        screen += chunk;
        const [question, reply] = replies[0] ?? [];
        if (question && screen.includes(question)) {
          replies.shift();
          child.stdin.write(`${reply}\r`);
        }
      });
      const [code] = await once(child, 'close');
      expect([code, screen]).toEqual([0, expect.stringContaining(`Logged in to ${baseUrl}.`)]);
      for (const part of partsOf(holder.secretKey)) expect(screen).not.toContain(part.slice(0, 20));
      expect(JSON.parse(await output('get', '/planets', '--json')).planets[0].name).toBe('Auremi');
    });
  });

  it('exports all orders of a large store', async () => {
    await withShell(async ({ ownerUrl, demoFile, folder, holders: [{ primaryTokenId }], output, binary }) => {
      await output('login', '--demo', demoFile);
      const count = Number(process.env.CSV_TEST_ORDERS ?? 10_000);
      await insertManyOrders(ownerUrl, primaryTokenId, count);
      expect(await binary('orders', 'export', '--order-by', 'asc', '-o', 'orders.csv')).toEqual({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^Wrote ${count + 200} orders to orders\\.csv \\(`)),
      });
      expect(readdirSync(folder).filter((name) => !name.startsWith('.'))).toEqual(['orders.csv']);
      const expected = await runSql<Record<string, string>>(
        ownerUrl,
        `SELECT orders.id::text, invoice_number AS "invoiceNumber", order_status AS "orderStatus",
           payment_status AS "paymentStatus", orders.admin_approval AS "adminApproval",
           total_amount::text AS "totalAmount", total_quantity::text AS "totalQuantity", currency::text,
           to_char(orders.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "createdAt",
           to_char(orders.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "updatedAt",
           client_id::text AS "clientId", first_name AS "clientFirstName", last_name AS "clientLastName",
           email AS "clientEmail", orders.token_id::text AS "tokenId"
         FROM keyfront.orders JOIN keyfront.clients ON clients.id = client_id
         WHERE orders.token_id = $1 ORDER BY orders.created_at, orders.id`,
        [primaryTokenId],
      );
      expect(expected).toHaveLength(count + 200);
      const rows = parse(readFileSync(join(folder, 'orders.csv')), { columns: true });
      expect(rows.length).toBe(expected.length);
      // Reports only the first difference, because a diff of all rows would be unreadable.
      const firstDifference = rows.findIndex(
        (row, index) => JSON.stringify(row) !== JSON.stringify(expected[index]),
      );
      expect([firstDifference, rows[firstDifference]]).toEqual([-1, undefined]);
    });
  });
});
