import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { createEVM } from '@ethereumjs/evm';
import { createAddressFromString, hexToBytes } from '@ethereumjs/util';
import {
  bytesToHex,
  concatHex,
  getContractAddress,
  type Hex,
  hashMessage,
  isHex,
  serializeErc6492Signature,
  size,
  toHex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chain, verifySmartWalletSignature } from './smart-wallet.ts';

/** Wallets in a few bytes of machine code: what they answer when they are asked about a signature. */
const wallets = {
  // ERC-1271's magic value.
  agreeing: '0x631626ba7e60e01b60005260206000f3',
  refusing: '0x63ffffffff60e01b60005260206000f3',
  silent: '0x00',
  reverting: '0x60006000fd',
  endless: '0x5b600056',
} as const satisfies Record<string, Hex>;

/** The common deployer of wallets that are yet to be: takes a salt and code, and deploys by CREATE2. */
const factoryCode =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3';
const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
/** Any; the wallets here do not look at it. */
const someSignature = toHex(0x1234, { size: 65 });
const hash = hashMessage('anything that a wallet signs');
const addressOf = (name: keyof typeof wallets): Hex =>
  toHex(0xa000 + Object.keys(wallets).indexOf(name), { size: 20 });

let server: Server;
let chain: Chain;

/** The part of an Ethereum node that is asked here, on a real EVM. */
beforeAll(async () => {
  const evm = await createEVM();
  const put = (address: Hex, code: Hex) =>
    evm.stateManager.putCode(createAddressFromString(address), hexToBytes(code));
  for (const name of ['agreeing', 'refusing', 'silent', 'reverting', 'endless'] as const) {
    await put(addressOf(name), wallets[name]);
  }
  await put(factory, factoryCode);

  const call = async (data: Hex): Promise<object> => {
    // Simulated: whatever it deploys is gone afterwards.
    await evm.stateManager.checkpoint();
    const { execResult } = await evm.runCall({ data: hexToBytes(data), gasLimit: 500_000n });
    await evm.stateManager.revert();
    if (execResult.exceptionError) {
      return { error: { code: 3, message: `execution reverted: ${execResult.exceptionError.error}` } };
    }
    return { result: bytesToHex(execResult.returnValue) };
  };
  server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request));
    const answer = method === 'eth_chainId' ? { result: '0x1' } : await call(params[0].data);
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  chain = { rpcUrl: `http://127.0.0.1:${port}`, chainId: 1 };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (address: Hex, signature: Hex) => verifySmartWalletSignature(chain, { address, hash, signature });

describe('a smart wallet on a real EVM', () => {
  it('that is deployed is believed when it agrees (ERC-1271), and not otherwise', async () => {
    expect(await ask(addressOf('agreeing'), someSignature)).toBe('valid');
    for (const name of ['refusing', 'silent', 'reverting', 'endless'] as const) {
      expect([name, await ask(addressOf(name), someSignature)]).toEqual([name, 'invalid']);
    }
  });

  it('that is yet to be deployed is deployed for the question (ERC-6492), and asked', async () => {
    const salt = toHex(7, { size: 32 });
    for (const [code, expected] of [
      [wallets.agreeing, 'valid'],
      [wallets.refusing, 'invalid'],
    ] as const) {
      // Copies what follows its own twelve bytes, and returns it as the code.
      const length = toHex(size(code), { size: 1 });
      const bytecode = concatHex(['0x60', length, '0x600c60003960', length, '0x6000f3', code]);
      const address = getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode });
      const signature = serializeErc6492Signature({
        address: factory,
        data: concatHex([salt, bytecode]),
        signature: someSignature,
      });
      expect(await ask(address, signature)).toBe(expected);
      // Without the deployment there is nobody at that address.
      expect(await ask(address, someSignature)).toBe('invalid');
    }
  });

  it('that is none at all is judged by its own signature', async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const signature = await account.sign({ hash });
    if (!isHex(signature)) throw new Error('viem signs in hex');
    expect(await ask(account.address, signature)).toBe('valid');
    expect(await ask(addressOf('silent'), signature)).toBe('invalid');
    expect(await ask(privateKeyToAccount(generatePrivateKey()).address, signature)).toBe('invalid');
  });
});
