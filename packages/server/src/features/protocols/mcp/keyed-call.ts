import { createHash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, type ErrorCode, errors } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import { callNotesStore, type NotedCall } from './call-notes.store.ts'

/** A call of a tool under a caller's key. `place`: of its message in the batch; each is a call of its own. */
export type KeyedCall = {
  key: string
  sessionId: string
  place: number
  name: string
  args: unknown
}

/**
 * What the gate knows a call by, and what was decided in it before: a process that died after a payment has left the same one to whoever
 * asks again.
 */
export type CallAttempt = {
  attemptKey: string
  attemptHours?: number
  notes: readonly unknown[]
  /** Resolves once it is durable; throws `unavailable` where somebody else has decided meanwhile. */
  note(value: unknown): Promise<void>
}

// As long as the key itself counts.
const hours = 24
const refusals = {
  in_flight: 'idempotency_key_in_flight',
  reused: 'idempotency_key_reused',
  spent: 'idempotency_key_spent',
} as const

/**
 * Makes a call once for its key and answers its repeats with the first answer. The same key for another tool or other arguments is the
 * refusal that the other lanes have. What fails on our side is thrown, and the key is free again.
 */
export async function keyedCall(
  { sql, idempotency }: { sql: Queryable; idempotency: Idempotency },
  { key, sessionId, place, name, args }: KeyedCall,
  make: (attempt: CallAttempt) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const use = { scope: sha256([sessionId, 'mcp tools/call', place]), key }
  const bodyHash = sha256([name, args])
  const begun = await idempotency.begin({ ...use, bodyHash })
  if (begun.kind === 'replay') return JSON.parse(begun.answer) as CallToolResult
  if (begun.kind !== 'run') return refused(refusals[begun.kind])
  const { attemptId } = begun
  try {
    const named = sha256([key, place, name, args]).toString('hex')
    const result = await make(await attemptOf(sql, { sessionId, attemptKey: `mcp key ${named}` }))
    const answer = JSON.stringify(result)
    await idempotency.finish({ ...use, attemptId, status: 200, answer, bearsCredential: false })
    return result
  } catch (error) {
    await idempotency.abandon({ ...use, attemptId })
    throw error
  }
}

async function attemptOf(sql: Queryable, call: NotedCall): Promise<CallAttempt> {
  const notes = await callNotesStore.of(sql, call)
  let known = notes.length
  return {
    attemptKey: call.attemptKey,
    attemptHours: hours,
    notes,
    async note(note) {
      if (!(await callNotesStore.add(sql, call, { known, note, hours }))) throw new ApiError('unavailable')
      known++
    },
  }
}

const sha256 = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest()

function refused(code: ErrorCode): CallToolResult {
  const told = { code, message: errors[code].message }
  return { content: [{ type: 'text', text: JSON.stringify(told) }], structuredContent: told, isError: true }
}
