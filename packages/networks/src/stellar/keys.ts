import type { Chain } from '../chain.ts'
import { toHex } from '../codec/hex.ts'
import { excerptText } from '../preview/excerpt.ts'
import { readAccountId } from './accounts.ts'
import { readTrustLineAsset } from './assets.ts'
import { readContractAddress, readContractValue } from './contract-values.ts'
import { strkey } from './strkey.ts'
import type { XdrReader } from './xdr-reader.ts'

/** A signature that a transaction needs: of a key, over `message` where that is not the transaction; without a key the text that hashes to `message`. */
export type NeededSignature = {
  readonly hint: Uint8Array
  readonly key: Uint8Array | null
  readonly message: Uint8Array | null
}

/** A signer of an account; `needed` is the signature of it, `null` where it gives none. */
export type SignerKey = { readonly text: string; readonly needed: NeededSignature | null }

/** Reads a SignerKey: a key (G…), a transaction (T…), a hash (X…) or a signed payload (P…, CAP-40). */
export function readSignerKey(reader: XdrReader): SignerKey {
  const kind = reader.tag(4)
  const key = reader.fixed(32)
  const hint = signatureHint(key)
  if (kind === 0) return { text: strkey('account', key), needed: { hint, key, message: null } }
  if (kind === 1) return { text: strkey('preAuthTransaction', key), needed: null }
  if (kind === 2) return { text: strkey('hashX', key), needed: { hint, key: null, message: key } }
  const start = reader.position()
  const message = reader.opaque(64)
  const padded = new Uint8Array(4)
  padded.set(message.subarray(-4))
  const mixed = hint.map((byte, index) => byte ^ (padded[index] ?? 0))
  return { text: strkey('signedPayload', key, reader.since(start)), needed: { hint: mixed, key, message } }
}

/** The last four bytes of a key: what its signatures are marked with. */
export function signatureHint(key: Uint8Array): Uint8Array {
  return key.subarray(-4)
}

/** Reads a ClaimableBalanceID: its B… strkey. */
export function readBalanceId(reader: XdrReader): string {
  reader.tag(1)
  return strkey('claimableBalance', Uint8Array.of(0), reader.fixed(32))
}

const configSettings = 21

/** An entry of the ledger: what kind it is, and which; of a balance its asset. */
type LedgerKey = { readonly text: string; readonly asset?: string }

/** Reads a LedgerKey. */
export function readLedgerKey(reader: XdrReader, chain: Chain): LedgerKey {
  const kind = reader.tag(10)
  if (kind !== trustLines) return { text: readEntry(kind, reader) }
  const account = readAccountId(reader)
  const asset = readTrustLineAsset(reader, chain).id
  return { text: `trustline ${account} ${asset}`, asset }
}

const trustLines = 1

function readEntry(kind: number, reader: XdrReader): string {
  switch (kind) {
    case 0:
      return `account ${readAccountId(reader)}`
    case 2:
      return `offer ${readAccountId(reader)} ${reader.i64()}`
    case 3:
      return `data ${readAccountId(reader)} ${excerptText(reader.opaque(64))}`
    case 4:
      return `claimable balance ${readBalanceId(reader)}`
    case 5:
      return `liquidity pool ${strkey('liquidityPool', reader.fixed(32))}`
    case 6:
      return `contract data ${readContractAddress(reader)} ${readContractValue(reader).text} ${reader.tag(2)}`
    case 7:
      return `contract code ${toHex(reader.fixed(32))}`
    case 8:
      return `setting ${reader.tag(configSettings)}`
    default:
      return `time to live ${toHex(reader.fixed(32))}`
  }
}
