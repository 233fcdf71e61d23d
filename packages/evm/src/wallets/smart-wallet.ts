import type { Hex } from 'viem';
import { callRpc, RpcError } from '../json-rpc.ts';

/** The node that verifies signatures of smart wallets. */
export interface Chain {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly timeoutMs?: number;
  /** Called if the node gives no usable response. */
  readonly onFailure?: (error: unknown) => void;
}

/** The settings of the node. */
export interface NodeSettings {
  readonly rpcUrl: string | null;
  readonly chainId: number;
  readonly rpcTimeoutMs?: number;
  /** Called if the node at `rpcUrl` gives no usable response. */
  readonly onRpcFailure?: (error: unknown) => void;
}

/** Returns the chain of the settings, or null without a node. */
export function findChain({ rpcUrl, chainId, rpcTimeoutMs, onRpcFailure }: NodeSettings): Chain | null {
  if (rpcUrl === null) return null;
  return {
    rpcUrl,
    chainId,
    ...(rpcTimeoutMs === undefined ? {} : { timeoutMs: rpcTimeoutMs }),
    ...(onRpcFailure === undefined ? {} : { onFailure: onRpcFailure }),
  };
}

/** `unknown`: the node gave no usable response. */
export type SmartWalletVerdict = 'valid' | 'invalid' | 'unknown';

const defaultTimeoutMs = 5_000;

/**
 * Verifies the signature of a smart wallet on the chain: ERC-1271 for deployed wallets, ERC-6492 for wallets that are not
 * deployed yet. The universal validator of ERC-6492 does both in one simulated call.
 *
 * Does not use a viem client: it would follow the OffchainLookup of a contract to any URL, and its timeout does not cover
 * reading the response body.
 */
export async function verifySmartWalletSignature(
  { rpcUrl, chainId, timeoutMs = defaultTimeoutMs, onFailure }: Chain,
  { address, hash, signature }: { readonly address: Hex; readonly hash: Hex; readonly signature: Hex },
): Promise<SmartWalletVerdict> {
  // Loaded on first use, because few services verify smart wallets and viem is large.
  const { encodeDeployData, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } = await import(
    'viem'
  );
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, hash, signature],
  });
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const [actualChainId, result] = await Promise.all([
      callRpc(rpcUrl, 'eth_chainId', [], { signal: timeout }),
      callRpc(rpcUrl, 'eth_call', [{ data }, 'latest'], { signal: timeout }),
    ]);
    // On another chain, the same address may belong to someone else.
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
