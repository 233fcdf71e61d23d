import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeOpenApiDocument } from '../packages/server/src/http/docs/openapi-document.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

const compilerOptions = {
  noEmit: true,
  strict: true,
  target: 'es2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  moduleDetection: 'force',
  types: ['node'],
};

it('the TypeScript sample of every operation compiles against the SDK', { tags: ['long'] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'keyfront-samples-'));
  try {
    const { paths } = await makeOpenApiDocument('https://shop.test/api/v1', { isSandbox: true });
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    for (const operation of operations) {
      const sample = operation['x-codeSamples']?.find(({ lang }) => lang === 'TypeScript');
      await writeFile(join(folder, `${operation.operationId}.ts`), sample?.source ?? 'missing;');
    }
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
    const complaints = await run(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      folder,
    ]).then(
      () => '',
      (error) => String(error.stdout),
    );
    expect(complaints).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});
