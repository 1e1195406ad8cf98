export { addressLabel, curveLabel } from './address-label.ts'
export { assembleAnswer, assembleUnsigned, type SignAnswer } from './assemble-answer.ts'
export type { Chain, Curve } from './chain.ts'
export { defaultChain } from './chain.ts'
export { compressPublicKey } from './compress-public-key.ts'
export type { Action, Decoded, Effect, EffectKind } from './effect.ts'
export { checksumAddress, isSoundAddress, parseAddress } from './evm/address.ts'
export { evmChainByHandle, evmChains } from './evm/chains.ts'
export {
  type AccessListEntry,
  type EvmTransactionFields,
  evmTransactionFromFields,
} from './evm/transaction-from-fields.ts'
export { decodeIntent } from './intent/decode-intent.ts'
export { encodeIntent } from './intent/encode-intent.ts'
export type { MessageIntent, SignIntent } from './intent/intent.ts'
export { type MessageEncoding, messageBytes } from './intent/message-bytes.ts'
export type { Network } from './network.ts'
export { NetworkError, type NetworkErrorCode } from './network-error.ts'
export { type Networks, networkSet } from './network-set.ts'
export { networks } from './networks.ts'
export { parsePayload } from './parse-payload.ts'
export type { KnownAddresses, Payload } from './payload.ts'
export { addressKey, addressOfKey, assetKey, isNativeAsset } from './policy/address-key.ts'
export type {
  AgentDecoded,
  AgentEffect,
  AgentMethod,
  AgentTrap,
  StoredOperation,
  TokenAccount,
} from './policy/agent-decoded.ts'
export { decodeForAgent } from './policy/decode-for-agent.ts'
export { isAccountName, isContractName, isTokenName } from './policy/is-account-name.ts'
export { isHashMessage } from './policy/message-trap.ts'
export { withOperationFee } from './policy/operation-preview.ts'
export { policyChains } from './policy/policy-chains.ts'
export { policyNames } from './policy/policy-names.ts'
export type { PreviewAction, SignPreview } from './preview/sign-preview.ts'
export { payloadEffects, preview } from './preview.ts'
export type { NonEmpty, RawSignature, Signed, SigningDigest } from './signature.ts'
export { signingDigests } from './signing-digests.ts'
export { type HolderSearch, type TokenHolders, tokenHolders } from './solana/token-holders.ts'
export { chainAddress, walletAddresses } from './wallet-addresses.ts'
