import type { Abi } from 'viem';
import { expect, it } from 'vitest';
import { digitalKeyAbi, marketplaceAbi } from './abis.ts';
import { compileOnce } from './compile-once.ts';
import { contractPaths } from './read-contracts.ts';

const defaults: Record<string, unknown> = { anonymous: false, indexed: false, name: '' };

/** Returns each item as text, without Solidity's internal type names and without default values. */
function describeAbi(abi: Abi | undefined): string[] {
  const plain = (name: string, value: unknown) =>
    name === 'internalType' || (name in defaults && defaults[name] === value) ? undefined : value;
  const sortNames = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return (abi ?? []).map((item) => JSON.stringify(JSON.parse(JSON.stringify(item, plain)), sortNames)).sort();
}

it('the ABIs match the output of the compiler', async () => {
  const { DigitalKey, Marketplace } = await compileOnce(contractPaths);
  expect(describeAbi(digitalKeyAbi)).toEqual(describeAbi(DigitalKey?.abi));
  expect(describeAbi(marketplaceAbi)).toEqual(describeAbi(Marketplace?.abi));
});
