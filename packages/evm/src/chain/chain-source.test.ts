import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeChain, fakeMarketplace, fakeToken } from '../../../../test/support/fake-chain.ts';
import { type FakeNode, startFakeNode } from '../../../../test/support/fake-node.ts';
import { RangeTooLarge, RpcFault } from '../rpc-fault.ts';
import { askNodeAt, openChainSource } from './chain-source.ts';

const contracts = { token: fakeToken, marketplace: fakeMarketplace };
const wallet = `0x${'ab'.repeat(20)}` as const;

let node: FakeNode | undefined;
afterEach(() => node?.close());

function chainWithMints(count: number): FakeChain {
  const chain = new FakeChain(7, 2);
  for (let tokenId = 0; tokenId < count; tokenId++) chain.mine([{ kind: 'mint', tokenId, to: wallet }]);
  return chain;
}

async function open(chain: FakeChain, misbehave?: (response: ServerResponse, method: string) => boolean) {
  node = await startFakeNode(chain, misbehave);
  // A node that works has as long as it needs on a busy machine.
  const timeoutMs = misbehave ? 300 : 60_000;
  return openChainSource(askNodeAt(node.url, new AbortController().signal, timeoutMs), contracts);
}

const json = (response: ServerResponse, result: unknown) => {
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  return true;
};

describe('a working node', () => {
  it('returns chain id, head, final block, blocks and logs', async () => {
    const chain = chainWithMints(5);
    const source = await open(chain);
    expect(await source.readChainId()).toBe(7);
    const { head, finalized } = await source.readView();
    expect([head.number, head.hash, finalized.number]).toEqual([5, chain.head.hash, 3]);
    expect(await source.readBlock(6)).toBeNull();
    const block = await source.readBlock(2);
    expect(block).toMatchObject({ number: 2, parentHash: chain.blocks[1]?.hash });
    expect(await source.readLogs({ blockHash: block?.hash ?? '' })).toHaveLength(1);
    expect(await source.readLogs({ from: 1, to: 5 })).toHaveLength(5);
  });

  it('without a final block has one two epochs below its head', async () => {
    const chain = chainWithMints(70);
    const asked: unknown[] = [];
    const source = openChainSource(async (method, params) => {
      asked.push(params[0]);
      if (params[0] === 'finalized') throw new RpcFault('unknown block tag');
      return chain.answer(method, params);
    }, contracts);
    expect((await source.readView()).finalized.number).toBe(6);
    expect(asked).toContain('finalized');
  });
});

describe('a faulty node', () => {
  it.each<[string, (response: ServerResponse) => boolean]>([
    ['answers HTML', (response) => response.end('<html>502 Bad Gateway</html>') !== null],
    [
      'answers 10 MB',
      (response) => response.end(JSON.stringify({ result: 'x'.repeat(10_000_000) })) !== null,
    ],
    ['answers nothing', (response) => response.end() !== null],
    ['never answers', () => true],
    ['never ends its answer', (response) => response.write('{"result":') !== null],
    ['breaks off', (response) => response.destroy() !== null],
    [
      'answers with an error',
      (response) => response.end('{"error":{"code":-32000,"message":"no"}}') !== null,
    ],
    ['answers null', (response) => json(response, null)],
    ['answers a number', (response) => json(response, 7)],
    ['answers an empty object', (response) => json(response, {})],
    [
      'answers a block without a hash',
      (response) => json(response, { number: '0x1', parentHash: `0x${'0'.repeat(64)}` }),
    ],
    ['answers a number that is none', (response) => json(response, { number: '0xzz' })],
  ])('%s: rejects with an RpcFault', async (_, misbehave) => {
    const source = await open(chainWithMints(3), misbehave);
    await expect(source.readView()).rejects.toBeInstanceOf(RpcFault);
    await expect(source.readLogs({ blockHash: `0x${'1'.repeat(64)}` })).rejects.toBeInstanceOf(RpcFault);
  });

  it('rejects a range: suggests a shorter one, down to one block', async () => {
    const source = await open(chainWithMints(3), (response, method) => {
      if (method !== 'eth_getLogs') return false;
      response.end('{"error":{"code":-32005,"message":"query returned more than 10000 results"}}');
      return true;
    });
    await expect(source.readLogs({ from: 1, to: 3 })).rejects.toBeInstanceOf(RangeTooLarge);
    await expect(source.readLogs({ from: 2, to: 2 })).rejects.not.toBeInstanceOf(RangeTooLarge);
  });

  it('returns another block or logs of another block: rejects both', async () => {
    const chain = chainWithMints(4);
    const source = openChainSource(async (method) => {
      if (method === 'eth_getLogs')
        return chain.answer('eth_getLogs', [{ blockHash: chain.blocks[2]?.hash }]);
      return chain.answer('eth_getBlockByNumber', ['0x1']);
    }, contracts);
    await expect(source.readBlock(3)).rejects.toThrow('The node gave block 1 for 3');
    await expect(source.readLogs({ blockHash: chain.blocks[3]?.hash ?? '' })).rejects.toBeInstanceOf(
      RpcFault,
    );
    await expect(source.readLogs({ from: 3, to: 4 })).rejects.toBeInstanceOf(RpcFault);
  });
});
