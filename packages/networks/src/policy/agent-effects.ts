import type { SignIntent } from '../intent/intent.ts'
import type { TransactionScope } from '../network.ts'
import type { AgentDecoded } from './agent-decoded.ts'

/** What a payload does, as policies judge it, before it is known where and by what it is signed. */
export type AgentEffects = Pick<AgentDecoded, 'effects' | 'fee' | 'trap'>

/** A transaction as it came in. */
export type TransactionIntent = Extract<SignIntent, { kind: 'transaction' }>

/**
 * Takes a network's unsigned transaction apart for policies. What it does but no policy may allow is a `trap`; bytes that
 * are no transaction of that network at all are `NetworkError('invalid_payload')`.
 */
export type ReadAgentTransaction = (intent: TransactionIntent, scope: TransactionScope) => AgentEffects

/** A payload that does nothing by itself. */
export const noEffects: AgentEffects = { effects: [], fee: null, trap: null }
