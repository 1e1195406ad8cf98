import { keccak_256 } from '@noble/hashes/sha3.js'
import { accountMessagePayload } from './evm/account-message.ts'
import { authorizationPayload } from './evm/authorization.ts'
import { ethereumPrefix, personalMessage } from './evm/personal-message.ts'
import { hashTypedDataPayload } from './evm/typed-data.ts'
import type { SignIntent } from './intent/intent.ts'
import { type IntentScope, intentScope } from './intent-scope.ts'
import type { Curve, InputsCodec, NonEmpty, SigningDigest, TransactionCodec } from './network.ts'
import { invalidPayload } from './network-error.ts'

/**
 * What the enclave signs, in order: one digest for anything but a transaction with several inputs of the wallet.
 * Undecodable input is `invalid_payload`, a field or curve that does not fit the chain `invalid_request`.
 */
export function signingDigests(
  intent: SignIntent,
  curve: Curve,
  publicKey: Uint8Array,
): NonEmpty<SigningDigest> {
  const scope = intentScope(intent, curve)
  if (intent.kind === 'transaction') {
    const codec = transactionCodec(scope, intent)
    if ('digests' in codec) return codec.digests(intent.bytes, { chain: scope.chain, publicKey })
  }
  return [{ payload: onlyDigest(intent, scope, publicKey), scheme: 'plain' }]
}

/**
 * What the enclave signs where that is one thing: a 32-byte digest for secp256k1, the message itself for ed25519.
 * A transaction with inputs of its own is `invalid_payload`; the rest as in `signingDigests`.
 */
export function signingDigest(intent: SignIntent, curve: Curve, publicKey: Uint8Array): Uint8Array {
  return onlyDigest(intent, intentScope(intent, curve), publicKey)
}

function onlyDigest(intent: SignIntent, scope: IntentScope, publicKey: Uint8Array): Uint8Array {
  switch (intent.kind) {
    case 'hash':
      return checkedHash(intent.hash)
    case 'transaction': {
      const codec = transactionCodec(scope, intent)
      if ('digests' in codec) throw invalidPayload('Each input of the transaction is signed by itself.')
      return codec.digest(intent.bytes, { chain: scope.chain, publicKey })
    }
    case 'message':
      return scope.network.messageDigest(signedPayload(intent, scope, publicKey))
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
    case 'typed_data': {
      const payload =
        intent.kind === 'message'
          ? network.messagePayload(intent, publicKey, chain)
          : hashTypedDataPayload(intent.typedData)
      return intent.smartAccount ? accountMessagePayload(keccak_256(payload), chain, publicKey) : payload
    }
    case 'user_operation':
      return personalMessage(ethereumPrefix, checkedHash(intent.hash))
    case 'authorization':
      return authorizationPayload(intent, chain)
  }
}

/** The transactions of a network in the sign mode of an intent, or `invalid_payload` where they are not signed. */
export function transactionCodec(
  { chain, network }: IntentScope,
  { signMode }: Extract<SignIntent, { kind: 'transaction' }>,
): TransactionCodec | InputsCodec {
  const codec = signMode === undefined ? network.transactions : network.aminoTransactions
  if (codec) return codec
  throw invalidPayload(`Transactions on ${chain.handle} cannot be decoded.`)
}

function checkedHash(hash: Uint8Array): Uint8Array {
  if (hash.length !== 32) throw invalidPayload('The hash must be 32 bytes long.')
  return hash
}
