import { NetworkError } from '@symbolon/networks'
import { decodeSignedTransaction, type SignedTransaction } from '@symbolon/networks/evm'
import { type Failure, failure } from '../../../runtime/failure.ts'

/** Decodes the raw transaction of the wire; a reader's error is `bad_raw_tx`, another type `unsupported_tx_type`. */
export function readRawTx(
  text: string,
  chainId: number,
): { raw: Uint8Array; transaction: SignedTransaction } | Failure<'bad_raw_tx' | 'unsupported_tx_type'> {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(text)) {
    return failure('bad_raw_tx', {
      message: 'The signed transaction must be whole bytes in 0x-prefixed hex.',
    })
  }
  const raw = Buffer.from(text.slice(2), 'hex')
  if (raw[0] !== 2) return failure('unsupported_tx_type')
  try {
    const transaction = decodeSignedTransaction(raw)
    if (transaction.chainId === chainId) return { raw, transaction }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return failure('bad_raw_tx', { message: error.message })
  }
  return failure('bad_raw_tx', { message: 'The transaction is for another chain.' })
}
