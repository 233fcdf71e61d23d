import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Anvil, startAnvil } from '../start-anvil.ts';
import { announceChain } from './announce-chain.ts';
import { ChainError } from './chain-error.ts';
import { help, readChainOptions } from './chain-options.ts';
import { mineEvery, prepareChain } from './prepare-chain.ts';
import { readDemoWallets } from './read-demo-wallets.ts';

const chainId = 31_337;

/** The command from its first line to its last: a chain, what is on it, how to use it, a signal, an end. */
async function run(): Promise<void> {
  const { isHelp, port, blockTimeSeconds } = readChainOptions(process.argv.slice(2));
  if (isHelp) {
    process.stdout.write(help);
    return;
  }
  const dataFolder = process.env.KEYFRONT_DATA;
  // Beneath the environment, as for the service.
  if (existsSync('.env')) process.loadEnvFile('.env');
  const wallets = await readDemoWallets(resolve(process.env.KEYFRONT_DATA || '.keyfront'));

  // Anvil ends together with this process, and has nothing to save.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  const anvil = await openAnvil(port);
  process.stdout.write('Deploying the contracts; the first time, they are compiled …\n');
  // Until all is there, each transaction gets its block at once.
  const deployment = await prepareChain(anvil, wallets);
  await mineEvery(anvil.rpcUrl, blockTimeSeconds);
  process.stdout.write(announceChain({ ...anvil, blockTimeSeconds, deployment, wallets, dataFolder }));

  // Ctrl-C reaches anvil too, which may then be the first to end.
  if ((await anvil.ended) !== 0) throw new ChainError('anvil has ended by itself.');
}

async function openAnvil(port: number): Promise<Anvil> {
  const anvil = await startAnvil({ chainId, port }).catch((error: Error) => {
    const advice = /in use/.test(error.message)
      ? '\nTake another port: npm run chain -- --port <number>'
      : '';
    throw new ChainError(error.message + advice, { cause: error });
  });
  if (anvil !== null) return anvil;
  throw new ChainError(
    `npm has no anvil for this machine (${process.platform} ${process.arch}) and there is none on the path: ` +
      'get it from https://getfoundry.sh and name it, as in ANVIL=/path/to/anvil npm run chain',
  );
}

run().catch((error) => {
  process.stderr.write(error instanceof ChainError ? `${error.message}\n` : `${error?.stack ?? error}\n`);
  process.exit(1);
});
