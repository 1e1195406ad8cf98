import { fromHex } from '../codec/hex.ts'
import { isPrefixed } from '../codec/is-prefixed.ts'
import type { NameKind, NetworkPolicy, Parsed } from '../network.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { checksumAddress } from './address.ts'
import { readCalls } from './policy/calls.ts'
import { namedSmartAccount, ownAccounts } from './policy/own-accounts.ts'
import type { EvmTransaction } from './raw-transaction.ts'

/** The calls of an EVM transaction, its fee in the worst case; an authorization (EIP-7702) is refused. */
function readEvmTransaction({ transaction, scope }: Parsed<EvmTransaction>): AgentEffects {
  const own = ownAccounts(scope)
  const called = readCalls([{ ...transaction, from: own.key }], own)
  const isDelegating = transaction.authorizations.length > 0
  return {
    ...called,
    fee: transaction.maxFee,
    trap: isDelegating ? 'authorization_not_allowed' : called.trap,
  }
}

/** 40 digits and fewer behind 0x; more are other networks' numbers, with a name behind them Aptos's. */
const hexForm = /^0[xX]0*([0-9a-fA-F]{1,40})$/
const keyForm = /^0x([0-9a-f]{1,40})$/

/**
 * An address with 0x or without it. Without it, it cannot be mistaken for a Near account: such names can no longer be created (NEP-492).
 * Any other text that starts with 0x is malformed, unless another network takes it for a name.
 */
function nameKind(text: string): NameKind | undefined {
  if (/^0x/i.test(text)) return hexForm.test(text) ? 'name' : 'malformed'
  return /^[0-9a-fA-F]{40}$/.test(text) ? 'name' : undefined
}

/** EVM chains as policies see them. */
export const policyEffects: NetworkPolicy<Parsed<EvmTransaction>> = {
  isChainSigned: true,
  effects: readEvmTransaction,
  ownAccounts: namedSmartAccount,
  selectorForm: /^0x[0-9a-fA-F]{8}$/,
  nameKind,
  addressKey(text) {
    const isBare = text.length === 40 && /^[0-9a-fA-F]{40}$/.test(text)
    if (!isBare && !isPrefixed(text)) return undefined
    const [, digits] = hexForm.exec(isBare ? `0x${text}` : text) ?? []
    return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
  },
  addressOfKey(key) {
    const [, digits] = keyForm.exec(key) ?? []
    const bytes = digits === undefined ? undefined : fromHex(digits.padStart(40, '0'))
    return bytes && checksumAddress(bytes)
  },
}
