import type { AgentDecoded } from './agent-decoded.ts'

/** What a payload does, as policies evaluate it, before it is known where and by what it is signed. */
export type AgentEffects = Pick<AgentDecoded, 'effects' | 'fee' | 'trap' | 'signIn'>

/** A payload that does nothing by itself. */
export const noEffects: AgentEffects = { effects: [], fee: null, trap: null }
