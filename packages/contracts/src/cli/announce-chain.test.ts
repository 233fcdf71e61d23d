import { expect, it } from 'vitest';
import { announceChain } from './announce-chain.ts';

const chain = {
  chainId: 31_337,
  rpcUrl: 'http://127.0.0.1:8545',
  blockTimeSeconds: 2,
  deployment: {
    digitalKey: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    marketplace: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    block: 1n,
  },
  wallets: [
    { name: 'Amira', walletAddress: '0x0000000000000000000000000000000000000001', tokenIds: [1001, 1002] },
  ],
  dataFolder: undefined,
} as const;
const command =
  'CHAIN_ID=31337 RPC_URL=http://127.0.0.1:8545 TOKEN_CONTRACT=0x5FbDB2315678afecb367f032d93F642f64180aa3 ' +
  'MARKETPLACE_CONTRACT=0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512 CHAIN_START_BLOCK=1 npm start';
const commandOf = (text: string) => text.split('\n').find((line) => line.endsWith('npm start'));

it('lists the wallets and the command that starts the service', () => {
  const text = announceChain(chain);
  expect(text).toContain('Amira: digital keys 1001, 1002\n');
  expect(text).toContain('http://127.0.0.1:8545, with a block every 2 s');
  expect(commandOf(text)).toBe(command);
});

it('includes a data folder from the environment, quoted for the shell', () => {
  for (const [dataFolder, quoted] of [
    ['/srv/key-front_1.0', '/srv/key-front_1.0'],
    ['my data', "'my data'"],
    ["it's; $HOME", "'it'\\''s; $HOME'"],
  ] as const) {
    expect(commandOf(announceChain({ ...chain, dataFolder }))).toBe(`KEYFRONT_DATA=${quoted} ${command}`);
  }
});
