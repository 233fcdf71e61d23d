import { randomBytes } from 'node:crypto';
import { getAddress } from 'viem/utils';
import { expect, it } from 'vitest';
import { toChecksumAddress } from './checksum-address.ts';

it('agrees with viem, and with the examples of ERC-55', () => {
  const examples = [
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ];
  for (const address of examples) expect(toChecksumAddress(address.toLowerCase())).toBe(address);
  for (let count = 0; count < 200; count++) {
    const address = `0x${randomBytes(20).toString('hex')}`;
    expect(toChecksumAddress(address)).toBe(getAddress(address));
  }
});
