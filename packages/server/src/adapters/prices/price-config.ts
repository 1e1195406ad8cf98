import type { Hex } from '@symbolon/networks/evm'
import { checksumAddress, evmChains, parseAddress } from '@symbolon/networks/evm-chains'
import type { Complain, Environment } from '../environment.ts'
import type { ChainlinkFeeds } from './chainlink-price.ts'
import type { PriceSources } from './configured-prices.ts'
import { decimalToE8 } from './exact-decimal.ts'

// Chainlink's heartbeats: an hour for large assets, a day for EUR/USD, which gets two hours to be late.
const ageDefault = '3600:93600'
const deviationDefault = '50'

const ages = /^([1-9]\d{0,6}):([1-9]\d{0,6})$/
const percent = /^[1-9]\d{0,3}$/

/** The variables of prices, and their descriptions. */
export const priceSettings = {
  'SYMBOLON_PRICE__<SYMBOL>': 'EUR per whole `ETH` or `POL`, a decimal number.',
  'SYMBOLON_PRICE_FEED__<SYMBOL>':
    'Two Chainlink feeds on a chain that has a node: `<handle>:<asset/USD>:<EUR/USD>`. The fixed price of the symbol is then only a bound.',
  SYMBOLON_PRICE_AGE_MAX: `Age in seconds up to which the two feeds count. Default: \`${ageDefault}\`.`,
  SYMBOLON_PRICE_DEVIATION_MAX: `How far a feed may be from the fixed price, in percent of it. Default: ${deviationDefault}.`,
} as const

/**
 * Reads `SYMBOLON_PRICE__<SYMBOL>` (EUR per whole unit), `SYMBOLON_PRICE_FEED__<SYMBOL>` (`<handle>:<asset/USD feed>:<EUR/USD
 * feed>`), `SYMBOLON_PRICE_AGE_MAX` (`<seconds>:<seconds>`, of the two feeds) and `SYMBOLON_PRICE_DEVIATION_MAX` (percent).
 */
export function readPriceSources(environment: Environment, complain: Complain): PriceSources {
  const symbols = new Set(evmChains.map((chain) => chain.nativeAsset.symbol))
  const fixed = new Map<string, bigint>()
  const feeds = new Map<string, ChainlinkFeeds>()

  const [, assetAge = '1', euroAge = '1'] =
    read(
      'SYMBOLON_PRICE_AGE_MAX',
      ageDefault,
      ages,
      'must be two numbers of seconds, separated by a colon',
    ) ?? []
  const [deviation = '1'] =
    read('SYMBOLON_PRICE_DEVIATION_MAX', deviationDefault, percent, 'must be a percentage from 1 to 9999') ??
    []

  for (const [variable, value] of Object.entries(environment)) {
    const [, feed, symbol] = /^SYMBOLON_PRICE(_FEED)?__(.*)$/.exec(variable) ?? []
    if (symbol === undefined || value === undefined) continue
    if (!symbols.has(symbol)) {
      complain(variable, 'names no coin that fees of an EVM chain are paid in')
    } else if (feed === undefined) {
      const eurE8 = decimalToE8(value)
      if (eurE8 === undefined) complain(variable, 'must be EUR per whole unit, a positive decimal number')
      else fixed.set(symbol, eurE8)
    } else {
      const parts = readFeeds(value)
      if (parts === undefined)
        complain(variable, 'must be <handle>:<asset/USD feed address>:<EUR/USD feed address>')
      else {
        feeds.set(symbol, {
          ...parts,
          assetAgeMaxSeconds: Number(assetAge),
          euroAgeMaxSeconds: Number(euroAge),
        })
      }
    }
  }
  return { fixed, feeds, deviationMaxPercent: Number(deviation) }

  function read(variable: string, initial: string, form: RegExp, says: string): RegExpExecArray | undefined {
    const match = form.exec(environment[variable] ?? initial)
    if (match === null) complain(variable, says)
    return match ?? undefined
  }
}

function readFeeds(text: string): { handle: string; asset: Hex; euro: Hex } | undefined {
  const [handle, asset, euro, ...rest] = text.split(':')
  if (handle === undefined || asset === undefined || euro === undefined || rest.length > 0) return undefined
  const [assetBytes, euroBytes] = [parseAddress(asset), parseAddress(euro)]
  if (assetBytes === undefined || euroBytes === undefined) return undefined
  return { handle, asset: checksumAddress(assetBytes), euro: checksumAddress(euroBytes) }
}
