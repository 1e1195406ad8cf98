import type { InputsCodec } from '../network.ts'
import { invalidPayload } from '../network-error.ts'
import { rememberLast } from '../remember-last.ts'
import { decodeSpendEffects } from './effects.ts'
import { spendDigests } from './sighash.ts'
import { signSpend } from './sign-psbt.ts'
import { readSpend } from './spend.ts'

const read = rememberLast(readSpend)

/**
 * Partially signed transactions (BIP-174, BIP-370): the wallet's own P2WPKH inputs are signed by ECDSA, its BIP-86
 * taproot inputs by their output key; inputs of others are left as they are.
 */
export const bitcoinTransactions: InputsCodec = {
  decode: (bytes, scope) => decodeSpendEffects(read(bytes, scope.publicKey), scope),
  digests(bytes, { publicKey }) {
    const [first, ...rest] = spendDigests(read(bytes, publicKey))
    if (!first) throw invalidPayload('No input of the PSBT is left for this wallet to sign.')
    return [first, ...rest]
  },
  assemble: (bytes, { publicKey }, signatures) => signSpend(read(bytes, publicKey), publicKey, signatures),
}
