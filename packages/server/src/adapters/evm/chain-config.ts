import type { Chain } from '@symbolon/networks'
import { evmChains } from '@symbolon/networks/evm-chains'
import * as z from 'zod'
import type { Complain, Environment } from '../environment.ts'
import type { PriceSources } from '../prices/configured-prices.ts'
import { readPriceSources } from '../prices/price-config.ts'
import { wholeNumber } from '../whole-number.ts'
import { confirmationsDefault } from './confirmations-default.ts'
import type { EvmChainAddress } from './evm-chains-http.ts'

/** The chains that an installation is wired to, and the prices of what their fees are paid in. */
export type ChainConfig = { chains: EvmChainAddress[]; prices: PriceSources }

const rpcUrlsMax = 8
const Confirmations = wholeNumber(1, 1_000)
const Context = z.record(z.string(), z.unknown())

/** The variables of one chain: their name after `SYMBOLON_`, and their description. */
export const chainSettings = {
  RPC: 'Nodes: 1 to 8 `https://` URLs separated by commas, the preferred one first. `http://` works too, for nodes on a network of your own: everything on the way can read what is asked, an API key in the URL too. A failing node is skipped until it recovers. The chain id of each node is checked.',
  BUNDLER: 'ERC-4337 bundler for EntryPoint v0.7. Needs a node.',
  PAYMASTER: 'ERC-7677 paymaster service. Needs a bundler and a price.',
  PAYMASTER_CONTEXT: 'JSON object sent to the paymaster with every request, such as the id of a policy.',
  CONFIRMATIONS:
    'Blocks after which an event counts, including its own: 1 to 1000. Default: 2 on Ethereum and Sepolia, 3 on Base and Optimism, 20 on Arbitrum, 8 on Polygon.',
} as const

/**
 * Reads `SYMBOLON_RPC__<HANDLE>` (in the order of preference), `SYMBOLON_BUNDLER__`, `SYMBOLON_PAYMASTER__`,
 * `SYMBOLON_PAYMASTER_CONTEXT__` (JSON) and `SYMBOLON_CONFIRMATIONS__<HANDLE>`, and the prices. Half a wiring is complained
 * about: a bundler needs a node, a paymaster a bundler and a price.
 */
export function readChainConfig(environment: Environment, complain: Complain): ChainConfig {
  const prices = readPriceSources(environment, complain)
  const evm = evmChains
  const wired = evm.flatMap((chain) => readChain(chain, environment, complain) ?? [])

  const variables = new Set(evm.flatMap((chain) => kinds.map((kind) => nameOf(kind, chain))))
  for (const variable of Object.keys(environment)) {
    const isOurs = kinds.some((kind) => variable.startsWith(`SYMBOLON_${kind}__`))
    if (isOurs && !variables.has(variable)) complain(variable, 'names no EVM chain')
  }
  for (const [symbol, { handle }] of prices.feeds) {
    if (!wired.some((chain) => chain.handle === handle)) {
      complain(`SYMBOLON_PRICE_FEED__${symbol}`, `needs a node of the chain "${handle}"`)
    }
  }
  return { chains: wired, prices }
}

type Kind = keyof typeof chainSettings
const kinds = Object.keys(chainSettings) as Kind[]

const needs: readonly (readonly [Kind, Kind])[] = [
  ['BUNDLER', 'RPC'],
  ['PAYMASTER', 'BUNDLER'],
  ['PAYMASTER_CONTEXT', 'PAYMASTER'],
  ['CONFIRMATIONS', 'RPC'],
]

const nameOf = (kind: Kind, { handle }: Chain): string =>
  `SYMBOLON_${kind}__${handle.toUpperCase().replaceAll('-', '_')}`

function readChain(chain: Chain, environment: Environment, complain: Complain): EvmChainAddress | undefined {
  const given = (kind: Kind) => environment[nameOf(kind, chain)]
  for (const [kind, needed] of needs) {
    if (given(kind) !== undefined && given(needed) === undefined) {
      complain(nameOf(kind, chain), `needs ${nameOf(needed, chain)}`)
    }
  }
  const { symbol } = chain.nativeAsset
  const [rpc, bundlerUrl, paymasterUrl] = [given('RPC'), given('BUNDLER'), given('PAYMASTER')]
  const priceNames = [`SYMBOLON_PRICE__${symbol}`, `SYMBOLON_PRICE_FEED__${symbol}`]
  if (paymasterUrl !== undefined && priceNames.every((name) => environment[name] === undefined))
    complain(nameOf('PAYMASTER', chain), `needs ${priceNames.join(' or ')}`)
  for (const [kind, url] of [
    ['BUNDLER', bundlerUrl],
    ['PAYMASTER', paymasterUrl],
  ] as const) {
    if (url !== undefined && !isUrl(url)) complain(nameOf(kind, chain), 'must be an http:// or https:// URL')
  }
  if (rpc === undefined) return undefined
  const rpcUrls = rpc.split(',').map((part) => part.trim())
  if (rpcUrls.length > rpcUrlsMax || !rpcUrls.every(isUrl)) {
    complain(nameOf('RPC', chain), `must be 1 to ${rpcUrlsMax} http:// or https:// URLs, separated by commas`)
  }
  const context = given('PAYMASTER_CONTEXT')
  const about = (kind: Kind) => (says: string) => complain(nameOf(kind, chain), says)
  return {
    handle: chain.handle,
    rpcUrls,
    ...(bundlerUrl !== undefined && { bundlerUrl }),
    ...(paymasterUrl !== undefined && { paymasterUrl }),
    ...(context !== undefined && { paymasterContext: readContext(context, about('PAYMASTER_CONTEXT')) }),
    confirmations: readConfirmations(given('CONFIRMATIONS'), chain.handle, about('CONFIRMATIONS')),
  }
}

function readConfirmations(text: string | undefined, handle: string, refuse: (says: string) => void): number {
  if (text === undefined) return confirmationsDefault(handle)
  const parsed = Confirmations.safeParse(text)
  if (!parsed.success) refuse('must be a whole number from 1 to 1000')
  return parsed.data ?? 1
}

function readContext(text: string, refuse: (says: string) => void): Record<string, unknown> {
  try {
    return Context.parse(JSON.parse(text))
  } catch {
    refuse('must be a JSON object')
    return {}
  }
}

function isUrl(text: string): boolean {
  const protocol = URL.parse(text)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}
