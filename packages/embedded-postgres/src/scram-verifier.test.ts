import { describe, expect, it } from 'vitest';
import { matchesScramVerifier, scramVerifier } from './scram-verifier.ts';

describe('scramVerifier', () => {
  it('agrees with the example of RFC 7677', () => {
    const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
    expect(scramVerifier('pencil', salt, 4096)).toBe(
      'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$' +
        'WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
    );
  });

  it('recognises its password and no other', () => {
    const verifier = scramVerifier('right');
    expect(matchesScramVerifier('right', verifier)).toBe(true);
    expect(matchesScramVerifier('wrong', verifier)).toBe(false);
    expect(matchesScramVerifier('right', '')).toBe(false);
    expect(matchesScramVerifier('right', 'md5abc')).toBe(false);
  });
});
