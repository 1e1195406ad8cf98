import type { AgentPolicy, AgentSession, EffectivePolicy } from '@symbolon/api'
import type { Queryable } from '../../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { countersOf } from '../../spending/index.ts'
import { type AgentSessionRow, agentSessionToWire, type LayerChanges } from './agent-session.ts'

// What the enclave takes at once.
const questionBytesMax = 256 << 10
const setsMax = 256

/** The context for showing sessions. */
export type SessionViewCtx = { sql: Queryable; signer: { enclave: Enclave } }

/**
 * Shows sessions of an organization with their budgets and the policy in effect now: one statement, and one question after the other to
 * the enclave for those around which the layers have changed since they were sealed.
 */
export async function showSessions(
  { sql, signer }: SessionViewCtx,
  rows: AgentSessionRow[],
): Promise<AgentSession[] | Failure<'unavailable'>> {
  // Nothing changes for a revoked session: it is shown as it was sealed, even where the enclave is out of reach.
  const changed = rows.flatMap(({ status, id, organizationId, policy, changes }) =>
    status === 'revoked' || changes === null
      ? []
      : [{ id, organizationId, layers: layersOf(policy, changes) }],
  )
  const [effective, counters] = await Promise.all([
    effectivePolicies(signer.enclave, changed),
    countersOf(
      sql,
      rows.map(({ id }) => id),
    ),
  ])
  if (isFailure(effective)) return effective
  const now = new Map(changed.map(({ id }, i) => [id, effective[i]]))
  return rows.map((row) =>
    agentSessionToWire(row, now.get(row.id) ?? row.effective, counters.get(row.id) ?? []),
  )
}

async function effectivePolicies(
  enclave: Enclave,
  sessions: readonly { organizationId: string; layers: string }[],
): Promise<EffectivePolicy[] | Failure<'unavailable'>> {
  const [first] = sessions
  if (first === undefined) return []
  const policies: EffectivePolicy[] = []
  try {
    for (const layers of inQuestions(sessions.map((session) => session.layers))) {
      const answer = await enclave.effective({ organizationId: first.organizationId, layers })
      policies.push(...(JSON.parse(answer) as EffectivePolicy[]))
    }
    return policies
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
function layersOf(policy: AgentPolicy, { sealed, now }: LayerChanges): string {
  const both = (layer: keyof typeof now) =>
    [...new Set([JSON.stringify(sealed[layer]), JSON.stringify(now[layer])])].join()
  const [organization, agent] = [both('organization'), both('agent')]
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
