import type { AgentDecoded } from './agent-decoded.ts'

/** What a payload does, as policies evaluate it, before it is known where and by what it is signed. */
export type AgentEffects = Pick<AgentDecoded, 'effects' | 'fee' | 'trap' | 'signIn'>

/** More effects than a policy looks at: a payload that has them is refused, whatever its network. */
export const effectsMax = 256

/** A payload that does nothing by itself. */
export const noEffects: AgentEffects = { effects: [], fee: null, trap: null }
