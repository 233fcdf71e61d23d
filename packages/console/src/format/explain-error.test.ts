import {
  AuthenticationError,
  ConnectionError,
  ForbiddenError,
  ServerError,
  ValidationError,
} from '@keyfront/sdk';
import { UnknownRpcError, UserRejectedRequestError } from 'viem';
import { describe, expect, it } from 'vitest';
import { explainError, explainProblem } from './explain-error.ts';

describe('explainError', () => {
  it.each([
    [new ValidationError(['orderId must be a UUID']), 'Order is not known'],
    [new ValidationError(['shipping.postalCode must be short']), 'Postal code must be short'],
    [new ValidationError(['entries.0.email must be an email']), 'Email must be an e-mail address'],
    [new ForbiddenError('Client is not verified', { status: 403 }), 'Client is not verified'],
    [
      new ServerError('The response (502, text/html) does not come from Keyfront: … baseUrl …', {
        status: 502,
      }),
      'The service did not answer as it should. Try again in a moment.',
    ],
    [new ServerError('The service is busy', { status: 503, code: 'OVERLOADED' }), 'The service is busy'],
    [
      new ConnectionError('GET http://127.0.0.1:3000/api/v1/… failed: fetch failed'),
      'The service cannot be reached. Check your connection, and try again.',
    ],
    [new AuthenticationError('Unauthorized', 'the nonce was used before'), 'The nonce was used before'],
    [new UserRejectedRequestError(new Error('no')), 'You have refused the request in your wallet.'],
    [
      Object.assign(new Error('Request of type wallet_requestPermissions pending'), { code: -32_002 }),
      'Your wallet waits for an answer to an earlier request. Open it, and answer that first.',
    ],
    [
      new UnknownRpcError(new Error('execution went wrong at 0x00')),
      'Your wallet has reported an error. Open it, and try again.',
    ],
    [
      new TypeError("Cannot read properties of undefined (reading 'id')"),
      'Something in this page has failed. Load it again, and try once more.',
    ],
    [
      new Error('Choose the chain 1 in Test Wallet, and try again'),
      'Choose the chain 1 in Test Wallet, and try again',
    ],
  ])('says %s in words for people', (error, sentence) => {
    expect(explainError(error)).toEqual([sentence]);
  });

  it('says what is wrong with a field', () => {
    expect(explainProblem('must be an email')).toBe('Must be an e-mail address');
    expect(explainProblem('entry 2 must be a type')).toBe('Entry 2 must be a type');
  });
});
