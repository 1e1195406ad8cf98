import { sha256 } from '#sha2'
import type { Chain } from '../chain.ts'
import { stellarChains } from './chains.ts'
import { networkId } from './network-id.ts'
import { readStrkey, strkey } from './strkey.ts'

/** HashIDPreimage of kind 8 (contract id), behind the network's id the preimage of kind 1 (an asset). */
const contractIdKind = Uint8Array.of(0, 0, 0, 8)
const fromAssetKind = Uint8Array.of(0, 0, 0, 1)
/** Behind the kinds and the network's id, a hash. */
const assetAt = 4 + 32 + 4
const nativeXdr = new Uint8Array(4)

const issuedForm = /^([A-Za-z0-9]{1,12}):(G[A-Z2-7]{55})$/

/** The Asset in XDR of an id (`CODE:ISSUER`), or `undefined` for a text of another form or checksum. */
export function issuedXdr(id: string): Uint8Array | undefined {
  const [, code = '', issuer = ''] = issuedForm.exec(id) ?? []
  const key = readStrkey('account', issuer)
  if (key === undefined) return undefined
  const isShort = code.length <= 4
  // The kind of the code, the code filled up with zeros, the kind of the key.
  const xdr = new Uint8Array((isShort ? 12 : 20) + key.length)
  xdr[3] = isShort ? 1 : 2
  for (let index = 0; index < code.length; index++) xdr[4 + index] = code.charCodeAt(index)
  xdr.set(key, xdr.length - key.length)
  return xdr
}

/** The contract (C…) that stands for an issued asset on a chain (CAP-46-6); `undefined` for what is no `CODE:ISSUER`. */
export function issuedContract(id: string, chain: Chain): string | undefined {
  const asset = issuedXdr(id)
  return asset && contractOf(asset, chain)
}

function contractOf(asset: Uint8Array, chain: Chain): string {
  const preimage = new Uint8Array(assetAt + asset.length)
  preimage.set(contractIdKind)
  preimage.set(networkId(chain), contractIdKind.length)
  preimage.set(fromAssetKind, assetAt - fromAssetKind.length)
  preimage.set(asset, assetAt)
  return strkey('contract', sha256(preimage))
}

/** By handle; lists of policies ask for them thousands of times. */
const nativeContracts = new Map(stellarChains.map((chain) => [chain.handle, contractOf(nativeXdr, chain)]))

/** The contract that stands for the native asset on a chain (CAP-46-6). */
export function nativeContract(chain: Chain): string {
  return nativeContracts.get(chain.handle) ?? contractOf(nativeXdr, chain)
}
