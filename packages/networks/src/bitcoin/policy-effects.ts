import type { Chain } from '../chains.ts'
import type { Action } from '../network.ts'
import { type ActionReading, called, readActions, spent } from '../policy/action-effects.ts'
import type { ReadAgentTransaction } from '../policy/agent-effects.ts'
import { bitcoinTransactions } from './transaction.ts'

/**
 * A PSBT for policies: every output that does not pay a script of the wallet's own key is a spend, also where others
 * fund it, since no output says whose coins it spends; the fee is what the previous outputs hold beyond that. Data that is
 * published (OP_RETURN) is a call of the contract `OP_RETURN`, since protocols on top take it for orders.
 */
export const readBitcoinTransaction: ReadAgentTransaction = ({ bytes }, scope) => {
  const { actions, fee } = bitcoinTransactions.decode(bytes, scope)
  return { ...readActions(actions, (action) => readOutput(action, scope.chain)), fee: fee?.amount ?? null }
}

function readOutput(action: Action, chain: Chain): ActionReading {
  if (action.kind === 'transfer') return spent(action, chain)
  // A script without an address: who can spend it is unknown.
  if (action.kind !== 'call' || action.to === null) return 'payload_undecodable'
  const burnt = action.asset === null ? [] : spent(action, chain)
  return typeof burnt === 'string' ? burnt : [...burnt, called(action.from, action.to)]
}
