import type { Chain } from '../chain.ts'
import { fromBase58Check, toBase58Check } from '../codec/base58.ts'
import { isAnyBech32 } from '../codec/bech32.ts'
import type { Action } from '../effect.ts'
import type { NameKind, NetworkPolicy, Parsed } from '../network.ts'
import { type ActionReading, attached, called, readActions, spent } from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { decodeSpendEffects } from './effects.ts'
import type { Spend } from './spend.ts'

/**
 * A PSBT for policies: every output that does not pay a script of the wallet's own key is a spend, also where others
 * fund it, since no output says whose coins it spends; the fee is what the previous outputs hold beyond that. Data that is
 * published (OP_RETURN) is a call of the contract `OP_RETURN`, since protocols on top take it for orders.
 */
function readBitcoinTransaction({ transaction, scope }: Parsed<Spend>): AgentEffects {
  const { actions, fee } = decodeSpendEffects(transaction, scope)
  return { ...readActions(actions, (action) => readOutput(action, scope.chain)), fee: fee?.amount ?? null }
}

function readOutput(action: Action, chain: Chain): ActionReading {
  if (action.kind === 'transfer') return spent(action, chain)
  // A script without an address: who can spend it is unknown.
  if (action.kind !== 'call' || action.to === null) return 'payload_undecodable'
  const burnt = action.asset === null ? [] : attached(action, chain)
  return typeof burnt === 'string' ? burnt : [...burnt, called(action.from, action.to)]
}

const bech32Form = /^(bc|tb)1[0-9a-z]+$/
/** Versions of base58 addresses: of the main network, and of the test network with the same script's of the main one. */
const base58Versions: readonly number[] = [0, 5, 111, 196]
const mainVersions: Readonly<Record<number, number>> = { 111: 0, 196: 5 }

function nameKind(text: string): NameKind | undefined {
  const lower = text === text.toUpperCase() ? text.toLowerCase() : text
  const [, prefix] = bech32Form.exec(lower) ?? []
  if (prefix !== undefined) return isAnyBech32(prefix, lower) ? 'name' : 'malformed'
  // Base58 takes time that grows with the square of the length.
  const { version = -1, payload } = text.length > 35 ? {} : (fromBase58Check(text) ?? {})
  return base58Versions.includes(version) && payload?.length === 20 ? 'name' : undefined
}

/** Numbers of other networks: an account of EVM, one of Tron, an implicit one of Near. */
const foreignNumber = /^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{42}|[0-9a-fA-F]{64})$/

function addressKey(text: string): string | undefined {
  if (!/^[btmn2]/i.test(text) || foreignNumber.test(text)) return undefined
  if (/^(?:bc|tb)1[0-9a-z]+$/i.test(text)) return bech32Key(text)
  return /^[mn2]/.test(text) && text.length >= 26 && text.length <= 35 ? base58Key(text) : undefined
}

/**
 * Lower and upper case are one address, mixed case is none (BIP-173). The checksum depends on the prefix: left out, an address of the
 * test network is that of the main one.
 */
function bech32Key(text: string): string {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return text
  const prefix = lower.slice(0, 2)
  const isAddress = isAnyBech32(prefix, lower)
  return isAddress ? `bc${lower.slice(2, -6)}` : text
}

function base58Key(text: string): string {
  const { version = -1, payload } = fromBase58Check(text) ?? {}
  const main = mainVersions[version]
  return main === undefined || payload?.length !== 20 ? text : toBase58Check(main, payload)
}

/** Bitcoin as policies see it. A script of its test network counts as that of the main one, since the bytes name neither. */
export const policyEffects: NetworkPolicy<Parsed<Spend>> = {
  isChainSigned: false,
  effects: readBitcoinTransaction,
  nameKind,
  nameForm: /^OP_RETURN$/,
  addressKey,
}
