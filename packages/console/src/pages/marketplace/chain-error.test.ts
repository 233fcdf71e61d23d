import { marketplaceAbi } from '@keyfront/contracts/abis';
import {
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  encodeErrorResult,
  UserRejectedRequestError,
  zeroAddress,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { explainChainError } from './chain-error.ts';

const saleId = '0x019a8f3e7c0070008000000000000601';
const call = { abi: marketplaceAbi, functionName: 'buy', args: [zeroAddress, 1n, saleId] } as const;
const failWith = (cause: ContractFunctionRevertedError | UserRejectedRequestError) =>
  explainChainError(new ContractFunctionExecutionError(cause as ContractFunctionRevertedError, call)).message;

describe('explainChainError', () => {
  it('explains what the contract refuses', () => {
    const data = encodeErrorResult({ abi: marketplaceAbi, errorName: 'AlreadySold', args: [saleId] });
    expect(failWith(new ContractFunctionRevertedError({ ...call, data }))).toBe('Another buyer was faster');
  });

  it('knows when the visitor has refused', () => {
    expect(failWith(new UserRejectedRequestError(new Error('no')))).toBe(
      'You have refused the request in your wallet',
    );
  });

  it('leaves other errors as they are', () => {
    const error = new Error('Choose the chain 1 in Test Wallet, and try again');
    expect(explainChainError(error)).toBe(error);
  });
});
