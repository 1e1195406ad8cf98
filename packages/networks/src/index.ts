export { addressKey, addressOfKey } from './agent/address-key.ts'
export type {
  AgentDecoded,
  AgentEffect,
  AgentMethod,
  AgentTrap,
  StoredOperation,
  TokenAccount,
} from './agent/agent-decoded.ts'
export { decodeForAgent } from './agent/decode-for-agent.ts'
export { isAccountName } from './agent/is-account-name.ts'
export { isHashMessage } from './agent/message-trap.ts'
export { policyChains } from './agent/policy-chains.ts'
export { type TokenHolders, tokenHolders } from './agent/token-holders.ts'
export { assembleAnswer, assembleUnsigned, type SignAnswer } from './assemble-answer.ts'
export { type Chain, chainByHandle, chains, defaultChain } from './chains.ts'
export { completeIntent } from './complete-intent.ts'
export { compressPublicKey } from './compress-public-key.ts'
export { decodeIntent } from './decode-intent.ts'
export { encodeIntent } from './encode-intent.ts'
export { checksumAddress, isSoundAddress, parseAddress } from './evm/address.ts'
export {
  type AccessListEntry,
  type EvmTransactionFields,
  evmTransactionFromFields,
} from './evm/transaction-from-fields.ts'
export type { MessageIntent, SignIntent } from './intent.ts'
export { type MessageEncoding, messageBytes } from './message-bytes.ts'
export type {
  Action,
  Curve,
  Decoded,
  Effect,
  EffectKind,
  Network,
  NetworkName,
  NonEmpty,
  RawSignature,
  Signed,
  SigningDigest,
} from './network.ts'
export { NetworkError, type NetworkErrorCode } from './network-error.ts'
export { networks } from './networks.ts'
export { decodeIntentEffects, preview } from './preview.ts'
export type { PreviewAction, SignPreview } from './sign-preview.ts'
export { signingDigest, signingDigests } from './signing-digest.ts'
export { chainAddress, walletAddresses } from './wallet-addresses.ts'
