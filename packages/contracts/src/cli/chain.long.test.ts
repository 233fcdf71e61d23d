import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeChainFolder, runChain } from '../../../../test/support/chain-command.ts';
import { findAnvil } from '../find-anvil.ts';

const holders = [
  { name: 'Amira', walletAddress: '0x0199C9Bbb2714ADDE2d86C0ACa6972666D000001', tokenIds: [1001, 1002] },
  { name: 'Joris', walletAddress: '0x0199C9Bbb2714ADDE2d86C0ACa6972666D000002', tokenIds: [2001] },
].map((holder) => ({ ...holder, walletAddress: holder.walletAddress.toLowerCase() }));

describe('npm run chain', () => {
  it('prints help', async () => {
    const folder = await makeChainFolder();
    const { how, text } = await runChain(folder, ['--help']).ended;
    expect(how).toBe(0);
    for (const word of ['--port', '--block-time', 'ANVIL', 'KEYFRONT_DATA']) expect(text).toContain(word);
  });

  it('fails with a message for an invalid option or without demo data', async () => {
    const folder = await makeChainFolder();
    expect(await runChain(folder, ['--port', 'x']).ended).toEqual({
      how: 1,
      text: '--port must be a whole number from 0 to 65535, not "x".\n',
    });
    expect(await runChain(folder, []).ended).toEqual({
      how: 1,
      text: `${join(folder, 'demo.json')} does not exist. Run npm start once to create the demo data.\n`,
    });
  });

  it('reads the data folder from a .env file', async () => {
    const folder = await makeChainFolder();
    await writeFile(join(folder, '.env'), 'KEYFRONT_DATA=elsewhere\n');
    const { text } = await runChain(folder, [], {}).ended;
    expect(text).toContain(join('elsewhere', 'demo.json'));
  });

  if (findAnvil({}) === null) {
    it('explains how to install anvil if npm has no build for this platform', async () => {
      const folder = await makeChainFolder();
      await writeFile(join(folder, 'demo.json'), JSON.stringify({ holders }));
      const { how, text } = await runChain(folder, []).ended;
      expect(how).toBe(1);
      expect(text).toMatch(
        /^npm has no build of anvil for this platform .* ANVIL=\/path\/to\/anvil npm run chain\n$/,
      );
    });
  }
});
