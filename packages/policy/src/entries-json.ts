import { listOf, type Read, readAmount, readField, readObject, readRequired, textOf } from './json-fields.ts'
import type { AllowedContract, AllowedToken, AssetCap } from './policy.ts'
import { PolicyError } from './policy-error.ts'

/** A token's entry on the wire. */
export type TokenJson = {
  readonly chain: string
  readonly token: string
  readonly max_per_tx?: string
  readonly max_total?: string
}

/** A contract's entry on the wire. */
export type ContractJson = {
  readonly chain: string
  readonly address: string
  readonly selectors?: readonly string[]
}

/** A cap on a native asset on the wire. */
export type AssetCapJson = { readonly asset: string; readonly max: string }

const readChain = textOf(64)
const readName = textOf(256)
/** Bytes in hex, or the name of a method, behind that of its module on Aptos: which of them a network knows is asked where policies are stored. */
const hexSelector = /^0x(?:[0-9a-fA-F]{2}|[0-9a-fA-F]{8}|[0-9a-fA-F]{16})$/
const namedSelector = /^(?!0x)[A-Za-z0-9_.$-]{1,128}(?:::[A-Za-z0-9_]{1,128})?$/
const readSelector: Read<string> = (json, path) => {
  if (typeof json === 'string' && hexSelector.test(json)) return json.toLowerCase()
  if (typeof json === 'string' && namedSelector.test(json)) return json
  throw new PolicyError(`${path}: no selector.`)
}

/** Reads one of `allowed_tokens`; whether its chain exists is asked where policies are stored. */
export const readToken: Read<AllowedToken> = (json, path) => {
  const fields = readObject(json, path, ['chain', 'token', 'max_per_tx', 'max_total'])
  return {
    chain: readRequired(fields, 'chain', readChain),
    token: readRequired(fields, 'token', readName),
    maxPerTx: readField(fields, 'max_per_tx', readAmount, null),
    maxTotal: readField(fields, 'max_total', readAmount, null),
  }
}

/** Reads one of `allowed_contracts`. */
export const readContract: Read<AllowedContract> = (json, path) => {
  const fields = readObject(json, path, ['chain', 'address', 'selectors'])
  return {
    chain: readRequired(fields, 'chain', readChain),
    address: readRequired(fields, 'address', readName),
    selectors: readField(fields, 'selectors', listOf(readSelector, 64), null),
  }
}

const readCap: Read<AssetCap> = (json, path) => {
  const fields = readObject(json, path, ['asset', 'max'])
  return { asset: readRequired(fields, 'asset', textOf(32)), max: readRequired(fields, 'max', readAmount) }
}

/** Reads caps of native assets, at most one of each; whether there is such an asset is asked where policies are stored. */
export function readAssetCaps(itemsMax: number): Read<readonly AssetCap[]> {
  const read = listOf(readCap, itemsMax)
  return (json, path) => {
    const caps = read(json, path)
    if (new Set(caps.map(({ asset }) => asset)).size !== caps.length)
      throw new PolicyError(`${path}: an asset twice.`)
    return caps
  }
}

/** Caps of native assets as the wire has them. */
export function assetCapsToJson(caps: readonly AssetCap[] | null): readonly AssetCapJson[] | null {
  return caps?.map(({ asset, max }) => ({ asset, max: String(max) })) ?? null
}

/** Tokens as the wire has them; a missing cap is none. */
export function tokensToJson(tokens: readonly AllowedToken[] | null): readonly TokenJson[] | null {
  if (tokens === null) return null
  return tokens.map(({ chain, token, maxPerTx, maxTotal }) => ({
    chain,
    token,
    ...(maxPerTx === null ? {} : { max_per_tx: String(maxPerTx) }),
    ...(maxTotal === null ? {} : { max_total: String(maxTotal) }),
  }))
}

/** Contracts as the wire has them; missing selectors are every method. */
export function contractsToJson(
  contracts: readonly AllowedContract[] | null,
): readonly ContractJson[] | null {
  if (contracts === null) return null
  return contracts.map(({ chain, address, selectors }) => ({
    chain,
    address,
    ...(selectors === null ? {} : { selectors }),
  }))
}
