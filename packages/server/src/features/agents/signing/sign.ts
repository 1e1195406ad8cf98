import { EnclaveError } from '../../../ports/enclave.ts'
import { type HeldReceipts, receiptOf } from '../../receipts/index.ts'
import { releaseBudget, spentBefore } from '../../spending/index.ts'
import { factsOf } from './decision-record.ts'
import { isOvertaken } from './evaluate.ts'
import type { SigningCtx } from './signing-ctx.ts'
import type { Kept, Prepared, Reserved, Signed, Stop } from './signing-steps.ts'

/** A request's wish for a receipt, and what holds the receipt until the commit. */
export type ReceiptWish = { isWanted: boolean; held: HeldReceipts }

/** Has the enclave sign, unless it did before. A refusal, or an error after which there is certainly no signature, gives the reservation back. */
export async function sign(
  ctx: SigningCtx,
  { payload }: Prepared,
  reserved: Reserved,
  kept: Kept,
  { isWanted, held }: ReceiptWish,
): Promise<Signed | Stop> {
  if (kept.made !== undefined) return { ...reserved, kind: 'signed', made: kept.made }
  const { sql, signer } = ctx
  const { decision, question, session } = reserved
  const { shareA, shareB } = payload.wallet
  const { spends, digestSha256: digest } = decision
  const release = () => releaseBudget(sql, { sessionId: session.id, digest, spends })
  try {
    const wish = isWanted && {
      receipt: { spentBefore: await spentBefore(sql, { sessionId: session.id, digest, spends }) },
    }
    const signed = await signer.enclave.agentSign({ ...question, shareA, shareB, ...wish })
    if (signed.refusal === null) {
      const receipt = receiptOf(signed, isWanted)
      if (receipt !== undefined) await held.add(receipt)
      return { ...reserved, kind: 'signed', made: { signatures: signed.signatures, receipt } }
    }
    await release()
    return { kind: 'refused', refusal: signed.refusal, facts: factsOf(decision), under: session }
  } catch (error) {
    // An enclave that died may have signed: its reservation stays.
    if (error instanceof EnclaveError && error.code !== 'unavailable') await release()
    if (await isOvertaken(ctx, session, error)) return { kind: 'outdated' }
    throw error
  }
}
