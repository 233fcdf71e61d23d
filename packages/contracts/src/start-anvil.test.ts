import { createClient, http } from 'viem';
import { getBlockNumber, getChainId } from 'viem/actions';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { needs } from '../../../test/support/requirements.ts';
import { type Anvil, startAnvil } from './start-anvil.ts';

const started: Anvil[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const anvil of started.splice(0)) await anvil.stop();
});

async function start(options: Parameters<typeof startAnvil>[0]): Promise<Anvil> {
  const anvil = await startAnvil(options);
  if (anvil === null) throw new Error('anvil is no longer installed.');
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

describe('startAnvil reports the reason', () => {
  it('if the executable does not exist', async () => {
    vi.stubEnv('ANVIL', '/none/such/anvil');
    await expect(startAnvil()).rejects.toThrow(
      'anvil (/none/such/anvil) could not be started: spawn /none/such/anvil ENOENT',
    );
  });

  it('if the process exits at once', async () => {
    vi.stubEnv('ANVIL', process.execPath);
    await expect(startAnvil()).rejects.toThrow(/could not be started: it exited: .*bad option: --port/);
  });
});

describe('a started anvil', needs('anvil'), () => {
  it('listens on its own port with the given chain id', async () => {
    const [one, two] = [await start({ chainId: 31_337 }), await start({ chainId: 4_242 })];
    expect(one.rpcUrl).not.toBe(two.rpcUrl);
    expect([one.chainId, two.chainId]).toEqual([31_337, 4_242]);
    expect([await getChainId(connect(one)), await getChainId(connect(two))]).toEqual([31_337, 4_242]);
  });

  it('stops without affecting other processes', async () => {
    const [one, two] = [await start({}), await start({})];
    await one.stop();
    await one.ended;
    expect(isAlive(one.processId)).toBe(false);
    await expect(getChainId(connect(one))).rejects.toThrow();
    expect(await getChainId(connect(two))).toBe(two.chainId);
  });

  it('fails with the output of anvil if the port is in use', async () => {
    const one = await start({});
    const port = Number(new URL(one.rpcUrl).port);
    await expect(startAnvil({ port })).rejects.toThrow(/could not be started: it exited: .*in use/s);
  });

  it('mines empty blocks with a block time', async () => {
    const anvil = await start({ blockTimeSeconds: 1 });
    await vi.waitFor(
      async () => expect(await getBlockNumber(connect(anvil), { cacheTime: 0 })).toBeGreaterThan(1n),
      {
        timeout: 20_000,
        interval: 50,
      },
    );
  });

  it('passes its output to onOutput', async () => {
    let printed = '';
    const anvil = await start({
      onOutput: (text) => {
        printed += text;
      },
    });
    expect(printed).toContain(`Listening on ${new URL(anvil.rpcUrl).host}`);
  });
});
