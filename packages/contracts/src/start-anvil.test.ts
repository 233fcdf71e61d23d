import { createClient, http } from 'viem';
import { getBlockNumber, getChainId } from 'viem/actions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findAnvil } from './find-anvil.ts';
import { type Anvil, startAnvil } from './start-anvil.ts';

const started: Anvil[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const anvil of started.splice(0)) await anvil.stop();
});

async function start(options: Parameters<typeof startAnvil>[0]): Promise<Anvil> {
  const anvil = await startAnvil(options);
  if (anvil === null) throw new Error('It was found before.');
  started.push(anvil);
  return anvil;
}

const isAlive = (processId: number) => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};
const connect = ({ rpcUrl }: Anvil) => createClient({ transport: http(rpcUrl, { retryCount: 0 }) });

describe('starting anvil fails with the reason', () => {
  it('when there is no such program', async () => {
    vi.stubEnv('ANVIL', '/none/such/anvil');
    await expect(startAnvil()).rejects.toThrow(
      'anvil (/none/such/anvil) could not be started: spawn /none/such/anvil ENOENT',
    );
  });

  it('when the program ends at once', async () => {
    vi.stubEnv('ANVIL', process.execPath);
    await expect(startAnvil()).rejects.toThrow(/could not be started: it ended: .*bad option: --port/);
  });
});

const isHere = findAnvil() !== null;
if (!isHere) it.skip('starting anvil: passed over, because there is no anvil here', () => {});

describe.skipIf(!isHere)('a started anvil', () => {
  it('answers on a port of its own with the chain that was asked for', async () => {
    const [one, two] = [await start({ chainId: 31_337 }), await start({ chainId: 4_242 })];
    expect(one.rpcUrl).not.toBe(two.rpcUrl);
    expect([one.chainId, two.chainId]).toEqual([31_337, 4_242]);
    expect([await getChainId(connect(one)), await getChainId(connect(two))]).toEqual([31_337, 4_242]);
  });

  it('is gone when it was stopped, and others go on', async () => {
    const [one, two] = [await start({}), await start({})];
    await one.stop();
    await one.ended;
    expect(isAlive(one.processId)).toBe(false);
    await expect(getChainId(connect(one))).rejects.toThrow();
    expect(await getChainId(connect(two))).toBe(two.chainId);
  });

  it('fails with its words when the port is taken', async () => {
    const one = await start({});
    const port = Number(new URL(one.rpcUrl).port);
    await expect(startAnvil({ port })).rejects.toThrow(/could not be started: it ended: .*in use/s);
  });

  it('makes blocks without transactions when it has a block time', async () => {
    const anvil = await start({ blockTimeSeconds: 1 });
    await vi.waitFor(
      async () => expect(await getBlockNumber(connect(anvil), { cacheTime: 0 })).toBeGreaterThan(1n),
      {
        timeout: 20_000,
        interval: 50,
      },
    );
  });

  it('hands on what it prints to whoever asked for it', async () => {
    let printed = '';
    const anvil = await start({
      onOutput: (text) => {
        printed += text;
      },
    });
    expect(printed).toContain(`Listening on ${new URL(anvil.rpcUrl).host}`);
  });
});
