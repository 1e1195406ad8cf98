import type { Chain } from '../chain.ts'
import { toHex } from '../codec/hex.ts'
import { excerptText } from '../preview/excerpt.ts'
import { readAccountId } from './accounts.ts'
import { readTrustLineAsset } from './assets.ts'
import { readContractAddress, readContractValue } from './contract-values.ts'
import { strkey } from './strkey.ts'
import type { XdrReader } from './xdr-reader.ts'

/** A signer of an account; `hint` is how its signatures are marked, `null` where it gives none. */
export type SignerKey = { readonly text: string; readonly hint: Uint8Array | null }

/** Reads a SignerKey: a key (G…), a transaction (T…), a hash (X…) or a signed payload (P…, CAP-40). */
export function readSignerKey(reader: XdrReader): SignerKey {
  const kind = reader.tag(4)
  const key = reader.fixed(32)
  if (kind === 0) return { text: strkey('account', key), hint: signatureHint(key) }
  if (kind === 1) return { text: strkey('preAuthTransaction', key), hint: null }
  if (kind === 2) return { text: strkey('hashX', key), hint: signatureHint(key) }
  const start = reader.position()
  const payload = reader.opaque(64)
  const padded = new Uint8Array(4)
  padded.set(payload.subarray(-4))
  const hint = signatureHint(key).map((byte, index) => byte ^ (padded[index] ?? 0))
  return { text: strkey('signedPayload', key, reader.since(start)), hint }
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

/** Reads a LedgerKey: what kind of entry it names, and which. */
export function readLedgerKey(reader: XdrReader, chain: Chain): string {
  switch (reader.tag(10)) {
    case 0:
      return `account ${readAccountId(reader)}`
    case 1:
      return `trustline ${readAccountId(reader)} ${readTrustLineAsset(reader, chain).id}`
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
