import { callbackBodyLimitBytes, defineOperations } from '../operation.ts';
import { ClientPath } from '../schemas/clients.ts';
import { KycLink, KycLinkRequest, KycReport, KycReportResult } from '../schemas/kyc.ts';
import { client, ids } from './examples.ts';

export const kycOperations = defineOperations({
  createKycLink: {
    method: 'POST',
    path: '/dapp/clients/{clientId}/kyc-link',
    access: 'credential',
    tag: 'Clients',
    sdk: 'clients.createKycLink',
    summary: 'Create an identity check link',
    description:
      'Gives the client a new link to the identity provider. The earlier link is no longer valid: what the provider ' +
      'reports about it is refused. A check that was running or rejected starts again as PENDING; a verified client ' +
      'stays verified. Anything else in the body is ignored.',
    status: 201,
    retry: 'idempotency-key',
    parameters: ClientPath,
    body: KycLinkRequest,
    ignoresUnknownBody: true,
    response: KycLink,
    erasedWith: 'clientId',
    errors: ['HOLDER_REQUIRED', 'NOT_OWNED', 'PROVIDER_NOT_CONFIGURED'],
    example: {
      parameters: { clientId: ids.client },
      body: { returnUrl: 'https://shop.example/welcome' },
      response: {
        clientId: ids.client,
        kycLink: client.kycLink,
        kycStatus: client.kycStatus,
        kycVerifiedAt: client.kycVerifiedAt,
      },
    },
  },

  reportKyc: {
    method: 'POST',
    path: '/callbacks/kyc',
    access: 'provider',
    provider: 'KYC',
    tag: 'Callbacks',
    summary: 'Report an identity check',
    description:
      'The identity provider reports the state of a check. The request is signed as the Standard Webhooks specification ' +
      'describes, with the secret of `KYC_CALLBACK_SECRET`. Reporting the current state again is a no-op. A refused ' +
      'report changes nothing. Send it again after a 429 or a 5xx; any other error is final.',
    status: 200,
    retry: 'safe',
    body: KycReport,
    bodyLimitBytes: callbackBodyLimitBytes,
    response: KycReportResult,
    errors: ['RESOURCE_NOT_FOUND', 'KYC_TRANSITION_REFUSED'],
    example: {
      body: { reference: ids.kycReference, status: 'VERIFIED' },
      response: { reference: ids.kycReference, status: 'VERIFIED' },
    },
  },
});
