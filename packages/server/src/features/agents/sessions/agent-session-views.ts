import type { AgentSession, EffectivePolicy } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { countersOf } from '../../spending/index.ts'
import { type AgentSessionRow, agentSessionToWire } from './agent-session.ts'

// What the enclave takes at once.
const questionBytesMax = 256 << 10
const setsMax = 256

/** The context for showing sessions. */
export type SessionViewCtx = { sql: Queryable; signer: { enclave: Enclave } }

/** Shows sessions with their budgets and the policy in effect now: one statement, and as few questions to the enclave as they fit. */
export async function showSessions(
  { sql, signer }: SessionViewCtx,
  rows: AgentSessionRow[],
): Promise<AgentSession[] | Failure<'unavailable'>> {
  // Nothing changes for a revoked session: it is shown as it was sealed, even where the enclave is out of reach.
  const living = rows.filter(({ status }) => status !== 'revoked')
  const [effective, counters] = await Promise.all([
    effectivePolicies(signer.enclave, living),
    countersOf(
      sql,
      rows.map(({ id }) => id),
    ),
  ])
  if (isFailure(effective)) return effective
  const now = new Map(living.map(({ id }, i) => [id, effective[i]]))
  return rows.map((row) =>
    agentSessionToWire(row, now.get(row.id) ?? row.effective, counters.get(row.id) ?? []),
  )
}

async function effectivePolicies(
  enclave: Enclave,
  rows: AgentSessionRow[],
): Promise<EffectivePolicy[] | Failure<'unavailable'>> {
  const questions = inQuestions(rows.map(layersOf))
  try {
    const answers = await Promise.all(questions.map((question) => enclave.effective(question)))
    return answers.flatMap((answer) => JSON.parse(answer) as EffectivePolicy[])
  } catch (error) {
    if (error instanceof EnclaveError && error.code === 'unavailable')
      return failure('unavailable', { cause: error })
    throw error
  }
}

/**
 * The layers of a session as sealed and as they are now, as JSON, each version once. A missing layer counts: sealed without rules, it has
 * their defaults.
 */
function layersOf({ sealedUnder, rules, agentPolicy, policy }: AgentSessionRow): string {
  const both = (sealed: object | null, now: object | null) =>
    [...new Set([JSON.stringify(sealed), JSON.stringify(now)])].join()
  const organization = both(sealedUnder.organization, rules)
  const agent = both(sealedUnder.agent, agentPolicy)
  return `{"organization":[${organization}],"agent":[${agent}],"session":${JSON.stringify(policy)}}`
}

/** Sets of layers in as few JSON arrays as the enclave takes. */
function inQuestions(sets: readonly string[]): string[] {
  const questions: string[][] = []
  let bytes = 0
  for (const set of sets) {
    const length = Buffer.byteLength(set) + 1
    const last = questions.at(-1)
    if (last === undefined || last.length === setsMax || bytes + length > questionBytesMax) {
      questions.push([set])
      bytes = length + 1
    } else {
      last.push(set)
      bytes += length
    }
  }
  return questions.map((question) => `[${question.join()}]`)
}
