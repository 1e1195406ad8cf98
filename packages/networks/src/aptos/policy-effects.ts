import type { Chain } from '../chain.ts'
import { fromHex } from '../codec/hex.ts'
import type { Action } from '../effect.ts'
import type { NetworkPolicy, Parsed } from '../network.ts'
import { type ActionReading, isAdminName, paid, readActions } from '../policy/action-effects.ts'
import type { AgentEffects } from '../policy/agent-effects.ts'
import { displayAddress } from './address.ts'
import { decodeAptosEffects } from './effects.ts'
import type { AptosTransaction } from './raw-transaction.ts'

/** Functions of the framework that move nothing and give no rights. */
const harmless = ['managed_coin::register', 'coin::migrate_to_fungible_store']
/** `0x0` to `0xf`: the framework's own. */
const frameworkAddress = /^0x[0-9a-f]$/

/**
 * An Aptos transaction for policies: transfers of coins and fungible assets are spends. Refused whatever a policy says: any
 * other module's function, since it is handed the wallet's signature and no cap would bound what it takes; objects that change hands
 * (they may be stores of any amount), stores that the bytes do not name, functions of the framework that are not known, multisig
 * accounts and transactions that also act for other accounts.
 */
function readAptosTransaction({ transaction, scope }: Parsed<AptosTransaction>): AgentEffects {
  const { actions, fee } = decodeAptosEffects(transaction, scope)
  const read = readActions(actions, (action) => readAction(action, scope.chain))
  const { payload, others } = transaction
  const isOfOthers = payload.multisig !== null || (others ?? []).length > 0
  return { ...read, trap: isOfOthers ? 'payload_undecodable' : read.trap, fee: fee?.amount ?? null }
}

function readAction(action: Action, chain: Chain): ActionReading {
  const { kind, method, to } = action
  switch (kind) {
    case 'transfer':
      return method?.startsWith('object::') ? 'payload_undecodable' : paid(action, chain)
    case 'admin':
      return 'account_admin_not_allowed'
    case 'unknown':
      if (to === null || method === null || frameworkAddress.test(to)) return 'payload_undecodable'
      if (isAdminName(method.slice(method.lastIndexOf(':') + 1))) return 'account_admin_not_allowed'
      return 'contract_call_not_allowed'
    case 'call':
      return method !== null && harmless.includes(method) ? [] : 'contract_call_not_allowed'
    case 'approval':
      return 'approval_not_allowed'
  }
}

/** An address, with or without a module and type behind it: 41 digits and more are Aptos's, fewer may be an account of EVM. */
const accountName = /^0[xX][0-9a-fA-F]{1,64}(?:::\S+)?$/
const addressForm = /^0[xX]0*([0-9a-fA-F]{41,64})$/
const keyForm = /^0x([0-9a-f]{1,64})$/

/** Aptos as policies see it. */
export const policyEffects: NetworkPolicy<Parsed<AptosTransaction>> = {
  isChainSigned: true,
  effects: readAptosTransaction,
  nameKind: (text) => (accountName.test(text) ? 'name' : undefined),
  addressKey(text) {
    const [, digits] = addressForm.exec(text) ?? []
    return digits === undefined ? undefined : `0x${digits.toLowerCase()}`
  },
  addressOfKey(key) {
    const [, digits] = keyForm.exec(key) ?? []
    const bytes = digits === undefined ? undefined : fromHex(digits.padStart(64, '0'))
    return bytes && displayAddress(bytes)
  },
}
