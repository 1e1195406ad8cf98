import type { Chain } from '../chains.ts'
import type { Action } from '../network.ts'
import { type ActionReading, isAdminName, paid, readActions } from '../policy/action-effects.ts'
import type { ReadAgentTransaction } from '../policy/agent-effects.ts'
import { decodeAptosTransaction } from './raw-transaction.ts'
import { aptosTransactions } from './transaction.ts'

/** Functions of the framework that move nothing and give no rights. */
const harmless = ['managed_coin::register', 'coin::migrate_to_fungible_store']
/** `0x0` to `0xf`: the framework's own. */
const frameworkAddress = /^0x[0-9a-f]$/

/**
 * An Aptos transaction for policies: transfers of coins and fungible assets are spends. Refused whatever a policy says: any
 * other module's function, since it is handed the wallet's signature and no cap would bound what it takes; objects that change hands
 * (they may be stores of any amount), stores that the bytes do not tell, functions of the framework that are not known, multisig
 * accounts and transactions that also act for other accounts.
 */
export const readAptosTransaction: ReadAgentTransaction = ({ bytes }, scope) => {
  const { actions, fee } = aptosTransactions.decode(bytes, scope)
  const read = readActions(actions, (action) => readAction(action, scope.chain))
  const { payload, others } = decodeAptosTransaction(bytes, scope.chain, scope.address)
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
