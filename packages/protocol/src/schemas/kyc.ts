import { type Static, Type } from 'typebox';
import { Nullable, Personal, ReturnUrl, StringEnum, Timestamp, Uuid } from './values.ts';

export const kycStatuses = ['PENDING', 'PROCESSING', 'VERIFIED', 'REJECTED'] as const;
export type KycStatus = (typeof kycStatuses)[number];

/** What the identity provider may report. A check is PENDING until it does. */
export const reportedKycStatuses = ['PROCESSING', 'VERIFIED', 'REJECTED'] as const;

/** The fields of a client that describe their identity check. */
export const kycFields = {
  kycLink: Nullable(
    Personal(
      Type.String({
        description:
          'Send the client here to prove their identity. Null if the operator has set up no identity provider, or if the ' +
          'client is older than that and has no link yet. Always null in events.',
        examples: ['https://identity.example/start?reference=6c1f4a3e-8a5a-4b7e-9d53-0f2c9f5a7c11'],
      }),
    ),
  ),
  kycStatus: StringEnum(kycStatuses, {
    title: 'KycStatus',
    description: 'State of the identity check. `isKYCVerified` is true exactly when it is VERIFIED.',
  }),
  kycVerifiedAt: Nullable(
    Timestamp(
      'When the identity was verified. Null if it is not, or if it was verified before this was recorded',
    ),
  ),
};

export const KycLinkRequest = Type.Object(
  { returnUrl: Type.Optional(ReturnUrl('Where the client returns to after the identity check.')) },
  { title: 'KycLinkRequest' },
);
export type KycLinkRequest = Static<typeof KycLinkRequest>;

export const KycLink = Type.Object(
  { clientId: Uuid('Id of the client'), ...kycFields },
  { title: 'KycLink', description: 'The identity check of a client' },
);
export type KycLink = Static<typeof KycLink>;

export const KycReport = Type.Object(
  {
    reference: Uuid('The reference in the link of the client'),
    status: StringEnum(reportedKycStatuses, { description: 'New state of the identity check' }),
  },
  { title: 'KycReport', description: 'What an identity provider reports' },
);
export type KycReport = Static<typeof KycReport>;

export const KycReportResult = Type.Object(
  {
    reference: Uuid('The reference of the report'),
    status: StringEnum(kycStatuses, { description: 'State of the identity check after the report' }),
  },
  { title: 'KycReportResult' },
);
export type KycReportResult = Static<typeof KycReportResult>;
