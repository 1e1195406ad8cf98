import { sha256 } from '#sha2'
import type { Chain } from '../chain.ts'
import { invalidPayload } from '../network-error.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import { readAccountId } from './accounts.ts'
import { strkey } from './strkey.ts'
import type { XdrReader } from './xdr-reader.ts'

/**
 * An asset: its id (native symbol, `CODE:ISSUER`, or the L… of a pool's shares) and what a person calls it. A contract that stands for an
 * issued asset has that asset's id wherever the bytes name the asset.
 */
export type Asset = { readonly id: string; readonly label: string }

/** Every classic asset has seven decimals. */
const decimals = 7
const codeShape = /^[A-Za-z0-9]+$/

/** Assets of a chain whose issuer is beyond doubt (Circle's list of contracts). */
export function knownAssets({ handle }: Chain): readonly string[] {
  return handle === 'stellar' ? ['USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN'] : []
}

/** The native asset of a chain. */
export function nativeAsset({ nativeAsset: { symbol } }: Chain): Asset {
  return { id: symbol, label: symbol }
}

/** Reads an Asset. */
export function readAsset(reader: XdrReader, chain: Chain): Asset {
  const kind = reader.tag(3)
  return kind === 0 ? nativeAsset(chain) : readIssued(reader, kind, chain)
}

/** Reads a TrustLineAsset: an Asset or the shares of a pool. */
export function readTrustLineAsset(reader: XdrReader, chain: Chain): Asset {
  const kind = reader.tag(4)
  if (kind === 0) return nativeAsset(chain)
  return kind === 3 ? readPool(reader) : readIssued(reader, kind, chain)
}

/** An asset that is trusted; `pool` is what its shares are of, as `a/b/fee`. */
type TrustedAsset = Asset & { readonly pool?: string }

/** Reads a ChangeTrustAsset: an Asset or a pool by its two assets and fee, whose hash is the pool's id (CAP-38). */
export function readChangeTrustAsset(reader: XdrReader, chain: Chain): TrustedAsset {
  const kind = reader.tag(4)
  if (kind === 0) return nativeAsset(chain)
  if (kind < 3) return readIssued(reader, kind, chain)
  const start = reader.position()
  reader.tag(1)
  const [one, other] = [readAsset(reader, chain), readAsset(reader, chain)]
  const pool = `${one.id}/${other.id}/${reader.i32()}`
  return { ...poolShares(sha256(reader.since(start))), pool }
}

/** Reads the id of a liquidity pool: L…, the id of its shares. */
export function readPool(reader: XdrReader): Asset {
  return poolShares(reader.fixed(32))
}

function poolShares(poolId: Uint8Array): Asset {
  const id = strkey('liquidityPool', poolId)
  return { id, label: `shares of ${id}` }
}

/** Reads an AssetCode of 4 (kind 1) or 12 (kind 2) characters, padded with zeros, as the network takes it. */
export function readAssetCode(reader: XdrReader, kind: number): string {
  const text = String.fromCharCode(...reader.fixed(kind === 1 ? 4 : 12))
  const code = text.replace(/\0+$/, '')
  if (!codeShape.test(code) || (kind === 2 && code.length < 5))
    throw invalidPayload('The code of an asset is malformed.')
  return code
}

/** An amount in stroops with the asset's label. */
export function assetDisplay(amount: bigint, { label }: Asset): string {
  return nativeDisplay(amount, { symbol: label, decimals })
}

/** An issued asset by its id: a person calls it by its code alone only where its issuer is beyond doubt. */
export function issuedAsset(id: string, chain: Chain): Asset {
  return { id, label: knownAssets(chain).includes(id) ? id.slice(0, id.indexOf(':')) : id }
}

function readIssued(reader: XdrReader, kind: number, chain: Chain): Asset {
  const code = readAssetCode(reader, kind)
  return issuedAsset(`${code}:${readAccountId(reader)}`, chain)
}
