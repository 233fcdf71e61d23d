import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOpenApiDocument } from '../../packages/server/src/http/docs/openapi-document.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('../generated-clients', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-generated-'));
  await mkdir(join(folder, 'hey-api'));
  const document = await makeOpenApiDocument('https://shop.test/api/v1', { isSandbox: true });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await symlink(join(workspace, '../../node_modules'), join(folder, 'node_modules'));
  await run(process.execPath, [join(workspace, 'generate.mjs'), join(folder, 'openapi.json'), folder], {
    cwd: workspace,
  });
}, 300_000);
afterAll(() => rm(folder, { recursive: true }));

const compilerOptions = {
  noEmit: true,
  skipDefaultLibCheck: true,
  strict: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

/** Compiles a program that uses what the generators wrote. Returns the complaints of the compiler. */
async function compile(name: string, source: string): Promise<string> {
  await writeFile(join(folder, `${name}.ts`), source);
  const project = join(folder, `${name}.json`);
  await writeFile(project, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const compiler = join(workspace, '../../node_modules/typescript/bin/tsc');
  return run(process.execPath, [compiler, '--project', project], { cwd: folder }).then(
    () => '',
    (error) => String(error.stdout),
  );
}

describe('clients that other tools generate from openapi.json', { timeout: 300_000 }, () => {
  it('compile, and know the types of the operations, with openapi-typescript', async () => {
    const source = `
      import type { components, operations, paths } from './openapi-typescript';
      type Order = components['schemas']['Order'];
      const status: Order['orderStatus'] = 'PENDING';
      const body: operations['createOrder']['requestBody']['content']['application/json'] = { clientId: '' };
      const query: NonNullable<paths['/api/v1/dapp/strains']['get']['parameters']['query']> = { take: 10 };
      const error: components['schemas']['ErrorResponse'] = { success: false, statusCode: 403, code: 'CART_EMPTY', message: '', data: null };
      export { body, error, query, status };
      // @ts-expect-error
      export const wrong: Order['orderStatus'] = 'LOST';
    `;
    expect(await compile('with-openapi-typescript', source)).toBe('');
  });

  it('compile, and know the types of the operations, with @hey-api/openapi-ts', async () => {
    const source = `
      import { createOrder, listStrains } from './hey-api';
      import type { Order, Strain } from './hey-api';
      export async function shop(): Promise<Strain[]> {
        const { data } = await listStrains({ query: { take: 10 } });
        await createOrder({ body: { clientId: '' } });
        return data?.data.strains ?? [];
      }
      export const status: Order['orderStatus'] = 'PENDING';
      // @ts-expect-error
      export const wrong: Order['orderStatus'] = 'LOST';
    `;
    expect(await compile('with-hey-api', source)).toBe('');
  });
});
