import type { AgentSession, EffectivePolicy, Fail } from '@symbolon/api'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type AgentSessionRow, agentSessionToWire } from './agent-session.ts'
import type { SessionCounter } from './session-budget.ts'

/** What the enclave takes at once. */
const questionBytesMax = 256 << 10
const setsMax = 256

/** What the budgets of sessions are read by; sessions that never spent anything may be missing. */
export type BudgetOf = (sessionIds: string[]) => Promise<Map<string, readonly SessionCounter[]>>

/** Shows sessions with the policy that holds for them now and with their budgets, many in one question to each. */
export function agentSessionViews({ enclave, budgetOf }: { enclave: Enclave; budgetOf: BudgetOf }) {
  async function effectiveOf(rows: AgentSessionRow[], fail: Fail<'unavailable'>): Promise<EffectivePolicy[]> {
    const questions = inQuestions(rows.map(layersOf))
    try {
      const answers = await Promise.all(questions.map((question) => enclave.effective(question)))
      return answers.flatMap((answer) => JSON.parse(answer) as EffectivePolicy[])
    } catch (error) {
      if (error instanceof EnclaveError && error.code === 'unavailable')
        throw fail('unavailable', { cause: error })
      throw error
    }
  }

  return async (rows: AgentSessionRow[], fail: Fail<'unavailable'>): Promise<AgentSession[]> => {
    // Nothing changes for what was revoked: it is shown as it was sealed, even where the enclave is out of reach.
    const living = rows.filter(({ status }) => status !== 'revoked')
    const [effective, budgets] = await Promise.all([
      effectiveOf(living, fail),
      budgetOf(rows.map(({ id }) => id)),
    ])
    const now = new Map(living.map(({ id }, i) => [id, effective[i]]))
    return rows.map((row) =>
      agentSessionToWire(row, now.get(row.id) ?? row.effective, budgets.get(row.id) ?? []),
    )
  }
}

/** How sessions are shown. */
export type AgentSessionViews = ReturnType<typeof agentSessionViews>

/**
 * The layers of a session, as sealed and as they are now, as JSON; the same twice is one. A missing one counts: where there were no rules,
 * their defaults were sealed.
 */
function layersOf({ sealedUnder, rules, agentPolicy, policy }: AgentSessionRow): string {
  const both = (sealed: object | null, now: object | null) =>
    [...new Set([JSON.stringify(sealed), JSON.stringify(now)])].join()
  const organization = both(sealedUnder.organization, rules)
  const agent = both(sealedUnder.agent, agentPolicy)
  return `{"organization":[${organization}],"agent":[${agent}],"session":${JSON.stringify(policy)}}`
}

/** Sets of layers in as few JSON arrays as the enclave takes them in. */
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
