import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cliSample } from '../../packages/openapi/src/code-samples/cli-sample.ts';
import { curlSample } from '../../packages/openapi/src/code-samples/curl-sample.ts';
import type { SampleOperation } from '../../packages/openapi/src/code-samples/sample-operation.ts';
import { typescriptSample } from '../../packages/openapi/src/code-samples/typescript-sample.ts';
import { makeOpenApiDocument } from '../../packages/server/src/http/docs/openapi-document.ts';
import { expectNoSecret, watchCommands } from '../support/guide-programs.ts';
import { type GuideService, guideClientId, startGuideService } from '../support/guide-service.ts';
import { runSql } from '../support/test-database.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let service: GuideService;
let folder: string;
let commands: ReturnType<typeof watchCommands>;
let variables: Record<string, string>;

beforeAll(async () => {
  service = await startGuideService();
  folder = mkdtempSync(join(tmpdir(), 'keyfront-samples-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'home'));
  commands = watchCommands(folder, ['openssl', 'curl']);
  variables = {
    ...service.variablesFor(service.key),
    HOME: join(folder, 'home'),
    PATH: [join(root, 'node_modules/.bin'), commands.path].join(delimiter),
  };
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

/** Runs commands as Bash does when they are pasted into a terminal: read from its input, with history expansion. */
async function paste(commandLines: string, more: Record<string, string> = {}): Promise<string> {
  const bash = spawn('bash', ['--norc', '-o', 'history', '-o', 'histexpand'], {
    cwd: folder,
    env: { ...variables, ...more },
    stdio: 'pipe',
  });
  bash.stdin.end(`${commandLines}\n`);
  const [output, errors] = await Promise.all([text(bash.stdout), text(bash.stderr)]);
  if (!output) throw new Error(`The sample printed nothing:\n${commandLines}\n${errors}`);
  return output;
}

interface Envelope {
  readonly statusCode: number;
  readonly message: string;
  readonly data: Record<string, unknown>;
}

const callWithCurl = async (
  operation: Omit<SampleOperation, 'baseUrl'>,
  more: Record<string, string> = {},
): Promise<Envelope> => JSON.parse(await paste(curlSample({ ...operation, baseUrl: service.base }), more));

/** The SDK sample of every operation, as the OpenAPI document has it. */
async function describedSamples(): Promise<{ id: string; sample: string }[]> {
  const { paths } = await makeOpenApiDocument(service.base);
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, 'x-codeSamples': samples = [] }) => ({
      id: operationId,
      sample: samples.find(({ lang }) => lang === 'TypeScript')?.source ?? 'There is no sample',
    })),
  );
}

const listStrains = {
  method: 'GET',
  path: '/dapp/strains',
  access: 'credential',
  query: { search: 'lunar saffron', take: 5 },
  sdk: 'strains.list',
} as const;

// Characters that mean something to Bash, to its history, to JSON or to a URL.
const awkward = `it's "so" $HOME $(id) \`id\` !1 !! \\ & ; | # ü %20 + [a] {b} * ?`;

describe('curl samples, pasted into Bash', () => {
  it('make a signed GET with a query', async () => {
    const { statusCode, data } = await callWithCurl(listStrains);
    expect([statusCode, data.strains]).toEqual([200, [expect.objectContaining({ name: 'Lunar Saffron' })]]);
  });

  it('make a signed GET without a query', async () => {
    const { statusCode, data } = await callWithCurl({
      method: 'GET',
      path: '/planets',
      access: 'credential',
    });
    expect([statusCode, data.planets]).toEqual([200, [expect.objectContaining({ name: 'Verdane' })]]);
  });

  it('make a signed POST', async () => {
    await service.fillCart();
    const body = { clientId: guideClientId };
    const order = await callWithCurl({
      method: 'POST',
      path: '/dapp/orders',
      access: 'credential',
      body,
      takesIdempotencyKey: true,
    });
    expect([order.statusCode, order.data.totalQuantity]).toEqual([201, 1]);
  });

  it('make a signed PATCH with a parameter in its path', async () => {
    const { statusCode, data } = await callWithCurl({
      method: 'PATCH',
      path: '/dapp/clients/{clientId}',
      access: 'credential',
      parameters: { clientId: guideClientId },
      body: { firstName: awkward },
    });
    expect([statusCode, data.firstName]).toEqual([200, awkward]);
  });

  it('make a signed DELETE, with and without a query', async () => {
    await service.fillCart();
    const [row] = await runSql(service.ownerUrl, 'SELECT id FROM keyfront.carts WHERE client_id = $1', [
      guideClientId,
    ]);
    const removal = {
      method: 'DELETE',
      path: '/dapp/carts/{cartId}',
      access: 'credential',
      parameters: { cartId: String(row?.id) },
    } as const;
    const { data: page } = await callWithCurl({ ...listStrains, query: { search: 'lunar sage' } });
    const [strain] = page.strains as { id: string }[];
    const one = await callWithCurl({ ...removal, query: { strainId: strain?.id ?? '' } });
    expect([one.statusCode, one.data.totalQuantity]).toEqual([200, 0]);
    const all = await callWithCurl(removal);
    expect([all.statusCode, all.data.totalQuantity]).toEqual([200, 0]);
  });

  it('keep every character of a query', async () => {
    const { statusCode, data } = await callWithCurl({ ...listStrains, query: { search: awkward } });
    expect([statusCode, data.strains]).toEqual([200, []]);
  });

  it('send a token where only that is accepted, and nothing where everybody may call', async () => {
    const KEYFRONT_TOKEN = await service.signIn(service.ada);
    const operation = { method: 'GET', path: '/dapp/users/me', access: 'jwt' } as const;
    expect(await callWithCurl(operation, { KEYFRONT_TOKEN })).toMatchObject({ statusCode: 200 });
    expect(
      await callWithCurl({ method: 'GET', path: '/public/healthStatus', access: 'public' }),
    ).toMatchObject({ statusCode: 200, data: 'Success' });
  });

  it('keep secrets off the command line', async () => {
    await callWithCurl(listStrains);
    expectNoSecret(commands.read(), variables.KEYFRONT_SECRET_KEY ?? '');
  });
});

describe('SDK samples', () => {
  it('compile in strict mode, for every operation', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    for (const { id, sample } of await describedSamples()) writeFileSync(join(project, `${id}.ts`), sample);
    const options = { strict: true, target: 'es2022', module: 'nodenext', noEmit: true, types: ['node'] };
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    expect(await paste(`node ${compiler} --project project && echo No errors`)).toBe('No errors\n');
  });

  it('run as they are', async () => {
    writeFileSync(join(folder, 'sample.mjs'), typescriptSample({ ...listStrains, baseUrl: service.base }));
    expect(await paste('node sample.mjs')).toContain("name: 'Lunar Saffron'");
  });

  it('keep every character', async () => {
    const operation: SampleOperation = {
      method: 'PATCH',
      path: '/dapp/clients/{clientId}',
      access: 'credential',
      baseUrl: service.base,
      parameters: { clientId: guideClientId },
      body: { lastName: awkward },
    };
    for (const sdk of ['clients.update', undefined]) {
      const sample = typescriptSample({ ...operation, ...(sdk ? { sdk } : {}) });
      writeFileSync(
        join(folder, 'sample.mjs'),
        sample.replace(/console\.log\((\w+)\);$/, 'console.log($1.lastName);'),
      );
      expect(await paste('node sample.mjs')).toBe(`${awkward}\n`);
    }
  });
});

describe('CLI samples, pasted into Bash', () => {
  it('send the query and the body', async () => {
    expect(await paste(cliSample({ ...listStrains, baseUrl: service.base }))).toContain('"Lunar Saffron"');
    const sample = cliSample({
      method: 'PATCH',
      path: '/dapp/clients/{clientId}',
      access: 'credential',
      baseUrl: service.base,
      parameters: { clientId: guideClientId },
      body: { firstName: awkward },
    });
    const data = JSON.parse(await paste(`${sample} --json`));
    expect(data.firstName).toBe(awkward);
  });
});
