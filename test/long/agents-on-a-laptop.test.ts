import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { readAgentOptions } from '@keyfront/mcp';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { type AgentOptions, startAgent } from '../support/agent-client.ts';
import { binaryPath } from '../support/cli-shell.ts';
import { readCode, readDocument, readPrograms, readTables } from '../support/guide-programs.ts';
import { openStorefront } from '../support/storefront.ts';
import { insertClient, insertStrain } from '../support/storefront-data.ts';

const { holder, service, sql } = await openStorefront();
const secretText = (key = holder.secretKey) =>
  Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })).toString('base64');
const env = {
  PATH: process.env.PATH ?? '',
  KEYFRONT_URL: service.origin,
  KEYFRONT_API_KEY: holder.apiKey,
  KEYFRONT_SECRET_KEY: secretText(),
};

/** Starts `keyfront mcp` as the client of an agent does. */
const start = (flags: readonly string[], options: AgentOptions = {}) =>
  startAgent(
    new StdioClientTransport({
      command: process.execPath,
      args: [binaryPath, 'mcp', ...flags],
      env,
      stderr: 'ignore',
    }),
    options,
  );

async function prepareOrder() {
  const [client, strain] = await Promise.all([insertClient(sql, holder.tokenId), insertStrain(sql)]);
  return { clientId: client.id, items: [{ strainId: strain.id, quantity: 1 }] };
}

const countOrders = async (clientId: string) =>
  (await sql('SELECT id FROM orders WHERE client_id = $1', [clientId])).length;

describe.each([
  ['today', false],
  ['before it had no sessions', true],
])('keyfront mcp for a client that speaks the protocol as it is %s', (_when, isLegacy) => {
  it('only reads', async () => {
    const order = await prepareOrder();
    const agent = await start([], { answer: 'accept', isLegacy });
    expect(agent.client.getInstructions()).toContain('untrusted');
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('listOrders');
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
    expect((await agent.call('listPlanets')).structuredContent).toHaveProperty('planets');
    expect(await agent.fail('createOrder', order)).toMatchObject({ code: 'CHANGES_NOT_ALLOWED' });
    const guide = await agent.client.readResource({ uri: 'keyfront://guides/orders' });
    expect(guide.contents).toHaveLength(1);
    expect(await countOrders(order.clientId)).toBe(0);
  });

  it.each(['日本', ' listPlanets', 'a\r\nx: 1', '=?base64?eA==?='])(
    'says that there is no tool and no resource with a name that no header can have: %j',
    async (name) => {
      const agent = await start([], { isLegacy });
      await expect(agent.call(name)).rejects.toThrow(`There is no tool ${name}`);
      const uri = `keyfront://guides/${name}`;
      await expect(agent.client.readResource({ uri })).rejects.toThrow(`There is no resource ${uri}`);
    },
  );

  it('with --write asks the user before each change', async () => {
    const order = await prepareOrder();
    const refusing = await start(['--write'], { answer: 'decline', isLegacy });
    expect(await refusing.fail('createOrder', order)).toMatchObject({ code: 'CONFIRMATION_DECLINED' });
    expect(await countOrders(order.clientId)).toBe(0);
    const agreeing = await start(['--write'], { answer: 'accept', isLegacy });
    const placed = await agreeing.call('createOrder', order);
    expect(placed.structuredContent).toMatchObject({ totalQuantity: 1 });
    expect(agreeing.questions).toHaveLength(1);
    expect(await countOrders(order.clientId)).toBe(1);
  });

  it('changes nothing for a client that cannot ask, unless --unconfirmed is given', async () => {
    const order = await prepareOrder();
    const flags = ['--write', '--tools', 'orders'];
    const careful = await start(flags, { isLegacy });
    expect(await careful.fail('createOrder', order)).toMatchObject({ code: 'CONFIRMATION_UNAVAILABLE' });
    expect(await countOrders(order.clientId)).toBe(0);
    const trusting = await start([...flags, '--unconfirmed'], { isLegacy });
    await trusting.call('createOrder', order);
    expect(await countOrders(order.clientId)).toBe(1);
  });
});

describe('the guide for agents', () => {
  const guide = readDocument('docs/guides/agents.md');

  it('sets clients up with a command that there is', () => {
    const snippets = readPrograms(guide, 'On your machine', 'json').map((text) => JSON.parse(text));
    const commands = snippets.map(({ mcpServers, servers }) => (mcpServers ?? servers).keyfront);
    expect(commands).toHaveLength(2);
    for (const { command, args } of commands) {
      expect(command).toBe('keyfront');
      expect(execFileSync(process.execPath, [binaryPath, ...args, '--help'], { encoding: 'utf8' })).toContain(
        'Usage: keyfront mcp',
      );
    }
  });

  it('names the options that there are', () => {
    const [rows = []] = readTables(guide, 'On your machine');
    const named = new Set(rows.flatMap(([cell = '']) => cell.match(/--[a-z]+/g) ?? []));
    const help = execFileSync(process.execPath, [binaryPath, 'mcp', '--help'], { encoding: 'utf8' });
    for (const option of named) expect(help).toContain(option);
    expect([...named].sort()).toEqual(['--profile', '--tools', '--unconfirmed', '--write']);
  });

  it('names the options of the address', () => {
    const [rows = []] = readTables(guide, 'Over HTTP');
    const queries = rows.flatMap(([cell = '']) => readCode(cell)).filter((text) => text.includes('='));
    expect(queries).toHaveLength(4);
    for (const query of queries)
      expect(readAgentOptions(new URLSearchParams(query))).not.toEqual(expect.any(String));
  });
});

describe('keyfront mcp', () => {
  /** Runs it with this input, until it ends. */
  const run = async (input: string, flags: readonly string[] = [], changes: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [binaryPath, 'mcp', ...flags], { env: { ...env, ...changes } });
    const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    child.stdin.end(input);
    const [stdout, stderr, [code]] = await output;
    return { stdout, stderr, code };
  };

  it('writes nothing but messages to its output, and ends with its input', async () => {
    const child = spawn(process.execPath, [binaryPath, 'mcp'], { env });
    const exited = once(child, 'exit');
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 't', version: '1' },
    };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list' });
    child.stdin.write('this is no message\n');
    send({ id: 3, method: 'tools/call', params: { name: 'listPlanets', arguments: {} } });
    // What was asked before is still answered.
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    const messages = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  });

  it('says what is wrong with the key, the address or the options, and writes nothing to its output', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
    const apiKey = await import('../../packages/cli/src/credentials/key-pair.ts').then(({ apiKeyOf }) =>
      apiKeyOf(privateKey),
    );
    const unknown = await run('', [], {
      KEYFRONT_API_KEY: apiKey,
      KEYFRONT_SECRET_KEY: secretText(privateKey),
    });
    expect(unknown).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('not authorized') });
    const nowhere = await run('', [], { KEYFRONT_URL: 'http://127.0.0.1:1' });
    expect(nowhere).toMatchObject({
      code: 5,
      stdout: '',
      stderr: expect.stringContaining('does not respond'),
    });
    const misspelt = await run('', ['--tools', 'order']);
    expect(misspelt).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('orders, payments'),
    });
    const alone = await run('', ['--unconfirmed']);
    expect(alone).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--write') });
  });
});
