export { callRpc, observeCalls } from './json-rpc.ts';
export { RangeTooLarge, RpcFault } from './rpc-fault.ts';
export { toChecksumAddress } from './wallets/checksum-address.ts';
export { type Chain, findChain, type NodeSettings } from './wallets/smart-wallet.ts';
export { findSignatureFault } from './wallets/wallet-signature.ts';
export { zeroAddress } from './wallets/zero-address.ts';
