import type { Fail } from '@symbolon/api'
import { NetworkError } from '@symbolon/networks'
import { decodeSignedTransaction, type SignedTransaction } from '@symbolon/networks/evm'

/** Decodes the raw transaction of the wire; a reader's error is `bad_raw_tx`, another type `unsupported_tx_type`. */
export function readRawTx(
  text: string,
  chainId: number,
  fail: Fail<'bad_raw_tx' | 'unsupported_tx_type'>,
): { raw: Uint8Array; transaction: SignedTransaction } {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text)) {
    throw fail('bad_raw_tx', { message: 'The signed transaction is not whole bytes in 0x-prefixed hex.' })
  }
  const raw = Buffer.from(text.slice(2), 'hex')
  if (raw[0] !== 2) throw fail('unsupported_tx_type')
  try {
    const transaction = decodeSignedTransaction(raw)
    if (transaction.chainId === chainId) return { raw, transaction }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    throw fail('bad_raw_tx', { message: error.message })
  }
  throw fail('bad_raw_tx', { message: 'The transaction is for another chain.' })
}
