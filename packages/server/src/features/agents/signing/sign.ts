import { EnclaveError } from '../../../ports/enclave.ts'
import { releaseBudget } from '../../spending/index.ts'
import { factsOf } from './decision-record.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { Kept, Prepared, Reserved, Signed, Stop } from './signing-steps.ts'

/** Has the enclave sign, unless it did before. A refusal, or an error after which there is certainly no signature, gives the reservation back. */
export async function sign(
  { sql, signer: { enclave } }: SigningCtx,
  { payload }: Prepared,
  reserved: Reserved,
  kept: Kept,
): Promise<Signed | Stop> {
  if (kept.signatures !== undefined) return { ...reserved, kind: 'signed', signatures: kept.signatures }
  const { decision, question, session } = reserved
  const { shareA, shareB } = payload.wallet
  const { spends, digestSha256: digest } = decision
  const release = () => releaseBudget(sql, { sessionId: session.id, digest, spends })
  try {
    const { refusal, signatures } = await enclave.agentSign({ ...question, shareA, shareB })
    if (refusal === null) return { ...reserved, kind: 'signed', signatures }
    await release()
    return { kind: 'refused', refusal, facts: factsOf(decision), under: session }
  } catch (error) {
    // An enclave that died may have signed: its reservation stays.
    if (error instanceof EnclaveError && error.code !== 'unavailable') await release()
    throw error
  }
}
