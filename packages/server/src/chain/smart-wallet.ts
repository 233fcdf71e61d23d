import type { Hex } from 'viem';
import { callRpc, RpcError } from './json-rpc.ts';

/** How smart wallets are asked. */
export interface Chain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly timeoutMs?: number;
  /** For the operator: the node could not be asked. */
  readonly onFailure?: (error: unknown) => void;
}

/** What is known of the node of an operator. */
export interface NodeSettings {
  readonly rpcUrl: string | null;
  readonly chainId: number;
  readonly rpcTimeoutMs?: number;
  /** Told when the node behind `rpcUrl` cannot be asked. */
  readonly onRpcFailure?: (error: unknown) => void;
}

/** The chain that smart wallets are asked on; null where there is no node to ask. */
export function findChain({ rpcUrl, chainId, rpcTimeoutMs, onRpcFailure }: NodeSettings): Chain | null {
  if (rpcUrl === null) return null;
  return {
    rpcUrl,
    chainId,
    ...(rpcTimeoutMs === undefined ? {} : { timeoutMs: rpcTimeoutMs }),
    ...(onRpcFailure === undefined ? {} : { onFailure: onRpcFailure }),
  };
}

/** `unknown`: the node could not be asked, so nobody knows. */
export type SmartWalletAnswer = 'valid' | 'invalid' | 'unknown';

const defaultTimeoutMs = 5_000;

/**
 * Asks the chain whether a contract stands by a signature: ERC-1271 of wallets that are deployed, ERC-6492 of those
 * that are yet to be. The universal validator of ERC-6492 does both in one call that is simulated and never sent.
 *
 * The call goes out by itself and not through a client of viem, which would follow a contract's OffchainLookup to any
 * address that it names, and bounds the time of a call but not of the reading of its answer.
 */
export async function askSmartWallet(
  { rpcUrl, chainId, timeoutMs = defaultTimeoutMs, onFailure }: Chain,
  { address, hash, signature }: { readonly address: Hex; readonly hash: Hex; readonly signature: Hex },
): Promise<SmartWalletAnswer> {
  // All of viem for these three, and few services ever ask a chain: it is loaded when one does.
  const { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } = await import(
    'viem'
  );
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hash, signature],
  });
  const patience = AbortSignal.timeout(timeoutMs);
  try {
    const [actualChainId, result] = await Promise.all([
      callRpc(rpcUrl, 'eth_chainId', [], { signal: patience }),
      callRpc(rpcUrl, 'eth_call', [{ data }, 'latest'], { signal: patience }),
    ]);
    // The same address may be another's wallet on another chain.
    if (!isNumber(actualChainId, chainId))
      throw new TypeError('RPC_URL leads to another chain than CHAIN_ID');
    return isNumber(result, 1) ? 'valid' : 'invalid';
  } catch (error) {
    if (error instanceof RpcError && /revert/i.test(error.message)) return 'invalid';
    onFailure?.(error);
    return 'unknown';
  }
}

function isNumber(value: unknown, expected: number): boolean {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) && BigInt(value) === BigInt(expected);
}
