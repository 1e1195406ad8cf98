import type { Chain } from '../chain.ts'
import type { Action, Decoded } from '../effect.ts'
import { unlessRefused } from '../network-error.ts'
import { tokenDisplay } from '../preview/amount-display.ts'
import { plainText } from '../preview/plain-text.ts'
import { isUnlimitedApproval, unlimitedWarning } from './call-effects.ts'
import { evmTokenDisplay } from './known-tokens.ts'
import { permitEffects } from './permits.ts'
import type { TypedData } from './typed-data.ts'
import { isAlarming } from './typed-data-alarm.ts'
import { parseInteger } from './typed-data-atomic.ts'
import type { JsonObject } from './typed-data-value.ts'
import { addressIn } from './typed-values.ts'

/** More effects than a person reads; such typed data counts as unknown. */
const effectsMax = 50

/** More fields, or longer names of them, than a person reads one by one: then nested ones stay JSON. */
const fieldsMax = 256
const namesLengthMax = 16_384

/** The note on typed data that no decoder knows, and that nothing dangerous shows in. */
export const plainNote =
  'This kind of message is not known here. What it does is up to the application that asks: read every field.'

/**
 * What typed data does when its signature is used; unknown types are one `unknown` effect with a warning, or with a note where nothing in
 * them is dangerous. `own`: the wallet's accounts.
 */
export function decodeTypedDataEffects(
  typed: TypedData,
  chain: Chain,
  signer: string,
  own: readonly string[],
): Decoded {
  typed.payload()
  const { primaryType, domain, message } = typed
  const contract = unlessRefused(() => addressIn(domain, 'verifyingContract')) ?? null
  const effects = contract === null ? undefined : permitEffects(typed, contract, signer)
  const warnings = chainWarnings(domain, chain)
  if (!effects || effects.length > effectsMax) {
    warnings.push(isAlarming(typed, own) ? 'The effects of this typed data are unknown.' : plainNote)
    return { ...bare('unknown', typed, signer, contract), warnings }
  }
  if (effects.length === 0) return { ...bare('call', typed, signer, contract), warnings }
  // Without a chain in its domain, or with another, the contract may be anything there.
  const isOfChain = domain['chainId'] !== undefined && warnings.length === 0
  const actions = effects.map((effect) => ({
    ...effect,
    amountDisplay: isOfChain
      ? evmTokenDisplay(effect.asset, effect.amount, chain)
      : tokenDisplay(effect.amount),
    method: primaryType,
    args: flatten(message),
  }))
  warnings.push(...effects.filter(isUnlimitedApproval).map((effect) => unlimitedWarning(effect)))
  return { title: titleOf(typed), actions, fee: null, warnings }
}

/** Typed data of unknown effects, or such that moves nothing: an authorization that is taken back. */
function bare(
  kind: 'call' | 'unknown',
  typed: TypedData,
  from: string,
  to: string | null,
): Omit<Decoded, 'warnings'> {
  const action: Action = {
    kind,
    asset: null,
    amount: null,
    from,
    to,
    amountDisplay: null,
    method: typed.primaryType,
    args: flatten(typed.message),
  }
  return { title: titleOf(typed), actions: [action], fee: null }
}

/** At most 64 characters of the domain's name, unless it holds hidden ones. */
function titleOf({ primaryType, domain }: TypedData): string {
  const name = domain['name']
  const shown = typeof name === 'string' ? plainText([...name].slice(0, 64).join('')) : undefined
  return `Sign ${primaryType}${shown === undefined || shown === '' ? '' : ` for ${shown}`}`
}

function chainWarnings(domain: JsonObject, chain: Chain): string[] {
  const chainId = domain['chainId']
  if (chainId === undefined || parseInteger(chainId) === BigInt(chain.chainId ?? -1)) return []
  return [`This is for the chain with id ${parseInteger(chainId)}, not for ${chain.label}.`]
}

/** Every member as text, nested ones by their paths; of a large message nested ones as JSON. */
function flatten(message: JsonObject): Record<string, string> {
  const all: [string, string][] = []
  let length = 0
  for (const entry of leaves(message, '')) {
    all.push(entry)
    length += entry[0].length
    if (all.length > fieldsMax || length > namesLengthMax) return Object.fromEntries(topLevel(message))
  }
  return Object.fromEntries(all)
}

function topLevel(message: JsonObject): [string, string][] {
  return Object.entries(message).map(([name, value]) => [name, textOf(value)])
}

function* leaves(value: object, path: string): Generator<[string, string]> {
  for (const [name, inner] of Object.entries(value)) {
    const at = path === '' ? name : Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0)
      yield [at, textOf(inner)]
    else yield* leaves(inner, at)
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
