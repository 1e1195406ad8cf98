import { keccak_256 } from '@noble/hashes/sha3.js'
import { authorizationPayload } from './evm/authorization.ts'
import { ethereumPrefix, personalMessage } from './evm/personal-message.ts'
import { hashTypedDataPayload } from './evm/typed-data.ts'
import type { SignIntent } from './intent.ts'
import { type IntentScope, intentScope } from './intent-scope.ts'
import type { Curve, TransactionCodec } from './network.ts'
import { invalidPayload } from './network-error.ts'

/**
 * What the enclave signs: a 32-byte digest for secp256k1, the message itself for ed25519.
 * Undecodable input is `invalid_payload`, a field or curve that does not fit the chain `invalid_request`.
 */
export function signingDigest(intent: SignIntent, curve: Curve, publicKey: Uint8Array): Uint8Array {
  const scope = intentScope(intent, curve)
  switch (intent.kind) {
    case 'hash':
      return checkedHash(intent.hash)
    case 'transaction':
      return transactionCodec(scope).digest(intent.bytes, { chain: scope.chain, publicKey })
    case 'message':
      return scope.network.messageDigest(scope.network.messagePayload(intent, publicKey, scope.chain))
    default:
      return keccak_256(signedPayload(intent, scope, publicKey))
  }
}

/** The exact bytes that are hashed or signed for anything but a bare hash and a transaction. */
export function signedPayload(
  intent: Exclude<SignIntent, { kind: 'hash' | 'transaction' }>,
  { chain, network }: IntentScope,
  publicKey: Uint8Array,
): Uint8Array {
  switch (intent.kind) {
    case 'message':
      return network.messagePayload(intent, publicKey, chain)
    case 'typed_data':
      return hashTypedDataPayload(intent.typedData)
    case 'user_operation':
      return personalMessage(ethereumPrefix, checkedHash(intent.hash))
    case 'authorization':
      return authorizationPayload(intent, chain)
  }
}

/** The transactions of a network, or `invalid_payload` where they are not signed. */
export function transactionCodec({ chain, network }: IntentScope): TransactionCodec {
  if (network.transactions) return network.transactions
  throw invalidPayload(`Transactions on ${chain.handle} cannot be decoded.`)
}

function checkedHash(hash: Uint8Array): Uint8Array {
  if (hash.length !== 32) throw invalidPayload('The hash must be 32 bytes long.')
  return hash
}
