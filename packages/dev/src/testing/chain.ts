/** The local chain and its contracts, for tests. */
export type { DevChainHandle } from '../chain/chain-handles.ts'
export { devContracts } from '../chain/dev-contracts.ts'
export { fund } from '../chain/fund.ts'
export { type JsonRpc, jsonRpc } from '../chain/json-rpc.ts'
export { type DevChain, type DevChainOptions, startDevChain } from '../chain/start-dev-chain.ts'
export { type Eip3009Token, eip3009Token, tokenAbi } from '../x402/eip3009-token.ts'
