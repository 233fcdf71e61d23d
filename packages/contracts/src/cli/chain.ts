import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Anvil, startAnvil } from '../start-anvil.ts';
import { announceChain } from './announce-chain.ts';
import { ChainError } from './chain-error.ts';
import { help, readChainOptions } from './chain-options.ts';
import { mineEvery, prepareChain } from './prepare-chain.ts';
import { readDemoWallets } from './read-demo-wallets.ts';

const chainId = 31_337;

/** Starts the chain, deploys the contracts, prints the start command, and runs until a signal. */
async function run(): Promise<void> {
  const { isHelp, port, blockTimeSeconds } = readChainOptions(process.argv.slice(2));
  if (isHelp) {
    process.stdout.write(help);
    return;
  }
  const dataFolder = process.env.KEYFRONT_DATA;
  // The environment takes precedence over the file, as in the service.
  if (existsSync('.env')) process.loadEnvFile('.env');
  const wallets = await readDemoWallets(resolve(process.env.KEYFRONT_DATA || '.keyfront'));

  // `startAnvil` kills anvil when this process exits. The chain is in memory, so nothing is lost.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  const anvil = await openAnvil(port);
  process.stdout.write('Deploying the contracts (the first start compiles them) …\n');
  // During the setup, anvil mines a block for each transaction at once.
  const deployment = await prepareChain(anvil, wallets);
  await mineEvery(anvil.rpcUrl, blockTimeSeconds);
  process.stdout.write(announceChain({ ...anvil, blockTimeSeconds, deployment, wallets, dataFolder }));

  // Ctrl-C reaches anvil too. It may exit first, with code 0.
  if ((await anvil.ended) !== 0) throw new ChainError('anvil exited unexpectedly.');
}

async function openAnvil(port: number): Promise<Anvil> {
  const anvil = await startAnvil({ chainId, port }).catch((error: Error) => {
    const advice = /in use/.test(error.message) ? '\nUse another port: npm run chain -- --port <number>' : '';
    throw new ChainError(error.message + advice, { cause: error });
  });
  if (anvil !== null) return anvil;
  throw new ChainError(
    `npm has no build of anvil for this platform (${process.platform} ${process.arch}), and it is not on the path. ` +
      'Install it from https://getfoundry.sh and run: ANVIL=/path/to/anvil npm run chain',
  );
}

run().catch((error) => {
  process.stderr.write(error instanceof ChainError ? `${error.message}\n` : `${error?.stack ?? error}\n`);
  process.exit(1);
});
