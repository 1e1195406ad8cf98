export { assembleAnswer, assembleUnsigned, type SignAnswer } from './assemble-answer.ts'
export { type Chain, chainByHandle, chains, defaultChain } from './chains.ts'
export { completeIntent } from './complete-intent.ts'
export { compressPublicKey } from './compress-public-key.ts'
export { checksumAddress, isSoundAddress, parseAddress } from './evm/address.ts'
export {
  type AccessListEntry,
  type EvmTransactionFields,
  evmTransactionFromFields,
} from './evm/transaction-from-fields.ts'
export { decodeIntent } from './intent/decode-intent.ts'
export { encodeIntent } from './intent/encode-intent.ts'
export type { MessageIntent, SignIntent } from './intent/intent.ts'
export { type MessageEncoding, messageBytes } from './intent/message-bytes.ts'
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
export { addressKey, addressOfKey } from './policy/address-key.ts'
export type {
  AgentDecoded,
  AgentEffect,
  AgentMethod,
  AgentTrap,
  StoredOperation,
  TokenAccount,
} from './policy/agent-decoded.ts'
export { decodeForAgent } from './policy/decode-for-agent.ts'
export { isAccountName } from './policy/is-account-name.ts'
export { isHashMessage } from './policy/message-trap.ts'
export { policyChains } from './policy/policy-chains.ts'
export type { PreviewAction, SignPreview } from './preview/sign-preview.ts'
export { decodeIntentEffects, preview } from './preview.ts'
export { signingDigest, signingDigests } from './signing-digest.ts'
export { type TokenHolders, tokenHolders } from './solana/token-holders.ts'
export { chainAddress, walletAddresses } from './wallet-addresses.ts'
