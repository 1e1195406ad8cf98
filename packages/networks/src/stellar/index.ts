import { sha256 } from '@noble/hashes/sha2.js'
import { concat } from '../codec/concat.ts'
import { encodeUtf8 } from '../codec/utf8.ts'
import { encodeEd25519 } from '../ed25519-signature.ts'
import type { Network } from '../network.ts'
import { strkey } from './strkey.ts'
import { stellarTransactions } from './transaction.ts'

const messagePrefix = encodeUtf8('Stellar Signed Message:\n')

/** Stellar: strkey addresses, SEP-53 messages, transaction envelopes in XDR. */
export const stellar: Network = {
  name: 'stellar',
  curve: 'ed25519',
  messageFields: [],
  addresses: (publicKey) => ({ stellar: strkey('account', publicKey) }),
  messagePayload: ({ message }) => concat(messagePrefix, message),
  messageDigest: (payload) => sha256(payload),
  encodeSignature: encodeEd25519,
  transactions: stellarTransactions,
}
