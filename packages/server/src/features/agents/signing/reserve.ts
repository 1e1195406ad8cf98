import { askingRunsStore } from './asking-runs.store.ts'
import { factsOf } from './decision-record.ts'
import type { Evaluated } from './evaluate.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { SigningRequest } from './signing-request.ts'
import type { Kept, Prepared, Reserved, Stop } from './signing-steps.ts'

/** Reserves what an allowed payload costs. Signatures that were made before have their costs held, which are looked at again. */
export async function reserve(
  { sql, ledger }: SigningCtx,
  { runId }: SigningRequest,
  { problem }: Prepared,
  evaluated: Evaluated,
  { made }: Kept,
): Promise<Reserved | Stop> {
  const { decision, session } = evaluated
  const { refusal, spends, digestSha256: digest } = decision
  const facts = factsOf(decision)
  if (refusal !== null) return { kind: 'refused', refusal, facts, under: session }
  const isAgain = made !== undefined
  if (!isAgain) {
    if (problem !== undefined) return { kind: 'thrown', error: problem.error }
    // Asked again at the commit; here nothing is held yet.
    if (runId !== null && (await askingRunsStore.isOver(sql, runId))) return { kind: 'run_over', facts }
  }
  const over = await ledger.budgets.reserve({
    sessionId: session.id,
    digest,
    spends,
    isAgain,
    under: session,
  })
  if (over === 'stale') return { kind: 'outdated' }
  if (over !== undefined) return { kind: 'refused', refusal: over, facts, under: session }
  return { ...evaluated, kind: 'reserved' }
}
