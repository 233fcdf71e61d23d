import { type Static, Type } from 'typebox';
import { PlanetReference } from './strains.ts';
import { ChecksumAddress, NftReference, Nullable, Timestamp, TokenId, Uuid } from './values.ts';

export const Holder = Type.Object(
  {
    id: Uuid('Id of the holder'),
    walletAddress: ChecksumAddress('Wallet of the holder'),
    email: Nullable(Type.String({ description: 'E-mail address' })),
    primaryNft: Nullable(NftReference),
    createdAt: Timestamp('When the wallet was first seen'),
  },
  { title: 'Holder', description: 'A wallet that owns digital keys' },
);
export type Holder = Static<typeof Holder>;

export const OwnedNft = Type.Object(
  {
    tokenId: TokenId('Token id of the digital key'),
    isPrimary: Type.Boolean({
      description: 'Whether calls with a JWT, and new API keys, act for this digital key',
    }),
    planet: PlanetReference,
    acquiredAt: Timestamp('When the holder acquired it'),
  },
  { title: 'OwnedNft', description: 'A digital key that the holder owns' },
);
export type OwnedNft = Static<typeof OwnedNft>;

export const OwnedNftList = Type.Object({ nfts: Type.Array(OwnedNft) }, { title: 'OwnedNftList' });
export type OwnedNftList = Static<typeof OwnedNftList>;

export const PrimaryNftChange = Type.Object(
  { tokenId: TokenId('Token id of the digital key') },
  { title: 'PrimaryNftChange' },
);
export type PrimaryNftChange = Static<typeof PrimaryNftChange>;
