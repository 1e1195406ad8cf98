import type { Parsed, TransactionCodec } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { decodeSpendEffects } from './effects.ts'
import { spendDigests } from './sighash.ts'
import { signSpend } from './sign-psbt.ts'
import { readSpend, type Spend } from './spend.ts'

/**
 * Partially signed transactions (BIP-174, BIP-370): the wallet's own P2WPKH inputs are signed by ECDSA, its BIP-86
 * taproot inputs by their output key; inputs of others are left as they are.
 */
export const bitcoinTransaction: TransactionCodec<Parsed<Spend>> = {
  encoding: 'base64',
  parse: (bytes, scope) => ({ transaction: readSpend(bytes, scope), bytes, scope }),
  effects: ({ transaction, scope }) => decodeSpendEffects(transaction, scope),
  digests({ transaction }) {
    const [first, ...rest] = spendDigests(transaction)
    if (!first) throw invalidPayload('No input of the PSBT is left for this wallet to sign.')
    return [first, ...rest]
  },
  assemble: ({ transaction, scope }, signatures) => signSpend(transaction, scope.publicKey, signatures),
}
