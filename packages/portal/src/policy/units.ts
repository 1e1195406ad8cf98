import type { Answer } from '../data/portal-client.ts'

/** A chain as the API lists it. */
export type Chain = Answer<'GET /v1/orgs/{orgID}/chains'>['items'][number]

/** A native coin: its symbol, and how many decimals its smallest unit has. */
export type Unit = { symbol: string; decimals: number }

/** The native coin that all these chains share; undefined if they have several, or if `handles` means all chains. */
export function unitOf(chains: readonly Chain[], handles: readonly string[] | undefined): Unit | undefined {
  const found = (handles ?? []).map((handle) => chains.find((chain) => chain.handle === handle)?.native_asset)
  const [first] = found
  const isOne = found.every((one) => one?.symbol === first?.symbol && one?.decimals === first?.decimals)
  return isOne ? first : undefined
}

/** The native coin with this symbol; undefined if chains disagree on its decimals. */
export function unitOfSymbol(chains: readonly Chain[], symbol: string): Unit | undefined {
  const units = chains.map(({ native_asset }) => native_asset).filter((one) => one.symbol === symbol)
  return units.every(({ decimals }) => decimals === units[0]?.decimals) ? units[0] : undefined
}

const local = { handle: 'local', native_asset: { symbol: 'ETH', decimals: 18 } }

/**
 * The chain for examples: the local one, else the first EVM chain with a node (plain sentences send on EVM chains only), else a
 * test chain.
 */
export function exampleChain(chains: readonly Chain[]): Pick<Chain, 'handle' | 'native_asset'> {
  const evm = chains.filter(({ network }) => network === 'evm')
  const wired = evm.filter(({ rpc }) => rpc)
  const named = (name: string) => evm.find(({ handle }) => handle === name)
  const best = wired.find(({ handle }) => handle === local.handle) ?? wired[0]
  return best ?? named(local.handle) ?? named('base-sepolia') ?? evm[0] ?? local
}

/** An amount in whole coins, exactly: `50000000000000000` with 18 decimals is `0.05`. */
export function wholeText(smallest: string, decimals: number): string {
  const digits = smallest.padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return decimals === 0 || fraction === '' ? whole : `${whole}.${fraction}`
}

/** An amount in whole coins in its smallest unit; undefined if it is not an amount or has too many decimals. */
export function smallestText(whole: string, decimals: number): string | undefined {
  const match = /^(\d{1,60})(?:\.(\d*))?$/.exec(whole.trim())
  const [, before = '', after = ''] = match ?? []
  if (match === null || after.length > decimals) return undefined
  return (before + after.padEnd(decimals, '0')).replace(/^0+(?=\d)/, '')
}

/** An amount for people, with separators: in whole coins if the unit is known, else in the smallest unit. */
export function amountText(smallest: string, unit: Unit | undefined): string {
  if (unit !== undefined) return `${grouped(wholeText(smallest, unit.decimals))} ${unit.symbol}`
  return grouped(smallest)
}

/**
 * An amount for narrow places. More than six decimals are cut, marked by an ellipsis; amounts too small or too long for that are
 * written with a power of ten: 1 wei is `1e-18 ETH`.
 */
export function briefAmount(smallest: string, unit: Unit | undefined): string {
  const digits = smallest.replace(/^0+(?=\d)/, '')
  const power = digits.length - 1 - (unit?.decimals ?? 0)
  if (digits !== '0' && (power < -6 || power > 14)) {
    const [first = '', ...others] = digits.replace(/(?<=.)0+$/, '')
    const shown = others.slice(0, 3).join('')
    const mantissa = `${first}${shown === '' ? '' : `.${shown}`}${others.length > 3 ? '…' : ''}`
    return `${mantissa}e${power}${unit === undefined ? '' : ` ${unit.symbol}`}`
  }
  return amountText(smallest, unit).replace(/(\.\d{6})\d+/, '$1…')
}

/** Groups of three digits, before the point only. */
function grouped(digits: string): string {
  const [whole = '', fraction] = digits.split('.')
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? text : `${text}.${fraction}`
}

/** Whether a text is an amount as the API accepts it: digits only, in the smallest unit. */
export const isAmount = (text: string): boolean => /^\d{1,78}$/.test(text)
