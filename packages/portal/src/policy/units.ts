import type { Answer } from '../data/portal-client.ts'

/** A chain as the portal knows it. */
export type Chain = Answer<'GET /v1/orgs/{orgID}/chains'>['items'][number]

/** What whole coins are counted in, and how many digits the smallest unit is below it. */
export type Unit = { symbol: string; decimals: number }

/** The one native coin of all these chains; undefined where there are several, or all chains are meant. */
export function unitOf(chains: readonly Chain[], handles: readonly string[] | undefined): Unit | undefined {
  const found = (handles ?? []).map((handle) => chains.find((chain) => chain.handle === handle)?.native_asset)
  const [first] = found
  const isOne = found.every((one) => one?.symbol === first?.symbol && one?.decimals === first?.decimals)
  return isOne ? first : undefined
}

/** The native coin with this symbol, where all chains count it alike. */
export function unitOfSymbol(chains: readonly Chain[], symbol: string): Unit | undefined {
  const units = chains.map(({ native_asset }) => native_asset).filter((one) => one.symbol === symbol)
  return units.every(({ decimals }) => decimals === units[0]?.decimals) ? units[0] : undefined
}

/** An amount of the smallest unit in whole coins, exactly: `50000000000000000`, 18 digits: `0.05`. */
export function wholeText(smallest: string, decimals: number): string {
  const digits = smallest.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** The smallest units of an amount in whole coins; undefined for what is no amount, or has more digits than there are. */
export function smallestText(whole: string, decimals: number): string | undefined {
  const match = /^(\d{1,60})(?:\.(\d*))?$/.exec(whole.trim())
  const [, before = '', after = ''] = match ?? []
  if (match === null || after.length > decimals) return undefined
  return (before + after.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '')
}

/** An amount as people read it: in whole coins where the unit is known, else in smallest units, in groups of three. */
export function amountText(smallest: string, unit: Unit | undefined): string {
  if (unit !== undefined) return `${grouped(wholeText(smallest, unit.decimals))} ${unit.symbol}`
  return grouped(smallest)
}

/** The same for narrow places: what goes beyond six digits after the point is left out, which is told by an ellipsis. */
export function briefAmount(smallest: string, unit: Unit | undefined): string {
  return amountText(smallest, unit).replace(/(\.\d{6})\d+/, '$1…')
}

/** Digits in groups of three, before the point only. */
export function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? text : `${text}.${fraction}`
}

/** Whether a text is what the API takes as an amount: digits alone, in the smallest unit. */
export const isAmount = (text: string): boolean => /^\d{1,78}$/.test(text)
