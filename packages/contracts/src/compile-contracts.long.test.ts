import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileContracts, readCompilerInput } from './compile-contracts.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyfront-contracts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const header = '// SPDX-License-Identifier: Apache-2.0\npragma solidity 0.8.37;\n';

async function compile(source: string) {
  const path = join(folder, 'Some.sol');
  await writeFile(path, header + source);
  return compileContracts(await readCompilerInput([path]));
}

describe('compileContracts', () => {
  it('returns the contracts of a file without those of its imports', { tags: ['long'] }, async () => {
    const contracts = await compile(`
      import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
      contract One is Ownable(msg.sender) {}
      contract Two {}`);
    expect(Object.keys(contracts).sort()).toEqual(['One', 'Two']);
    expect(contracts.One?.abi).toContainEqual(expect.objectContaining({ type: 'function', name: 'owner' }));
    expect(contracts.Two?.bytecode).toMatch(/^0x[0-9a-f]{20,}$/);
  });

  it('throws the text of an error', async () => {
    await expect(compile('contract One { uint256 private number = "text"; }')).rejects.toThrow(
      /TypeError: .*string.* is not implicitly convertible to expected type uint256.*Some\.sol:3/s,
    );
  });

  it('throws the text of a warning', async () => {
    await expect(compile('contract One { function f() external pure { uint256 unused; } }')).rejects.toThrow(
      /Warning: Unused local variable/,
    );
  });

  it('allows imports from OpenZeppelin only', async () => {
    for (const name of ['./Other.sol', '/etc/hostname', 'viem/package.json']) {
      await expect(compile(`import "${name}"; contract One {}`), name).rejects.toThrow(
        'only imports from @openzeppelin are allowed',
      );
    }
    await expect(compile('import "@openzeppelin/contracts/None.sol"; contract One {}')).rejects.toThrow(
      /Cannot find module '@openzeppelin\/contracts\/None\.sol'/,
    );
  });
});
