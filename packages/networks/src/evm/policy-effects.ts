import type { AgentEffects, ReadAgentTransaction } from '../policy/agent-effects.ts'
import { readCalls } from './policy/calls.ts'
import { ownAccounts } from './policy/own-accounts.ts'
import { readTransaction } from './transaction.ts'

/** The calls of an EVM transaction, its fee in the worst case; an authorization (EIP-7702) is refused. */
export const readEvmTransaction: ReadAgentTransaction = ({ bytes }, { chain, publicKey }): AgentEffects => {
  const transaction = readTransaction(bytes, chain)
  const own = ownAccounts(chain, publicKey)
  const called = readCalls([{ ...transaction, from: own.key }], own)
  const isDelegating = transaction.authorizations.length > 0
  return {
    ...called,
    fee: transaction.maxFee,
    trap: isDelegating ? 'authorization_not_allowed' : called.trap,
  }
}
