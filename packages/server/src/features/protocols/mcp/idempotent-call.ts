import { createHash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, type ErrorCode, errors } from '@symbolon/api'
import type { Sql } from '../../../db/pool.ts'
import type { Idempotency } from '../../../http/idempotency.ts'
import type { ToolCall } from '../../agents/index.ts'
import { callNotesStore, type NotedCall } from './call-notes.store.ts'

/** A call of a tool under a client's key; `place` is that of its message in the batch: each place is a call of its own. */
export type IdempotentCall = {
  key: string
  sessionId: string
  place: number
  name: string
  args: unknown
  /** The tool continues a call that was cut off, by its notes and its key. */
  isContinued: boolean
}

// As long as the key itself counts.
const hours = 24
const refusals = {
  in_flight: 'idempotency_key_in_flight',
  reused: 'idempotency_key_reused',
  spent: 'idempotency_key_spent',
} as const

/**
 * Makes a call once for its key, and returns the first answer to its repeats. The same key for another tool or other arguments is refused
 * as on the other lanes. An error on our side is thrown, and frees the key unless a success was recorded. Where something was committed and
 * the answer was lost, the call of a tool that continues goes on with it (the same payment); any other one is refused as spent.
 */
export async function idempotentCall(
  { sql, idempotency }: { sql: Sql; idempotency: Idempotency },
  { key, sessionId, place, name, args, isContinued }: IdempotentCall,
  make: (call: ToolCall) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const use = { scope: sha256([sessionId, 'mcp tools/call', place]), key }
  const bodyHash = sha256([name, args])
  const begun = await idempotency.begin({ ...use, bodyHash, isContinued: async () => isContinued })
  if (begun.kind === 'replay') return JSON.parse(begun.answer) as CallToolResult
  if (begun.kind !== 'run') return refused(refusals[begun.kind])
  const { attemptId } = begun
  const run = { ...use, attemptId }
  const named = sha256([key, place, name, args]).toString('hex')
  const call = { sessionId, key: `mcp key ${named}` }
  const result = await idempotency
    .run(run, async () => make(await notedCall(sql, call)))
    .catch(async (error: unknown) => {
      await idempotency.abandon(run)
      throw error
    })
  await idempotency.finish({ ...run, status: 200, answer: JSON.stringify(result), bearsCredential: false })
  return result
}

/** The call with the notes that were written under its key. A note throws `unavailable` where another call has written one meanwhile. */
async function notedCall(sql: Sql, call: NotedCall): Promise<ToolCall> {
  const notes = await callNotesStore.of(sql, call)
  let known = notes.length
  return {
    key: call.key,
    keyHours: hours,
    notes,
    async note(note) {
      const isAdded = await sql.alone((tx) => callNotesStore.add(tx, call, { known, note, hours }))
      if (!isAdded) throw new ApiError('unavailable')
      known++
    },
  }
}

const sha256 = (value: unknown): Buffer => createHash('sha256').update(JSON.stringify(value)).digest()

function refused(code: ErrorCode): CallToolResult {
  const error = { code, message: errors[code].message }
  return { content: [{ type: 'text', text: JSON.stringify(error) }], structuredContent: error, isError: true }
}
