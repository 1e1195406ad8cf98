import type { UserOpStatus } from '@symbolon/api'
import { eurText } from '../spending/index.ts'
import type { OperationRow } from './userops.store.ts'

/** The status of the wire (decisions.md 8); nothing for an operation that was never submitted. */
export function userOpStatus(row: OperationRow): UserOpStatus | undefined {
  const { state, submittedAt } = row
  if (submittedAt === null) return undefined
  return {
    user_op_hash: row.hash,
    chain: row.chain,
    chain_id: row.chainId,
    sender: row.sender,
    status:
      state === 'confirmed' ? 'confirmed' : state === 'sending' || state === 'sent' ? 'submitted' : 'failed',
    transaction_hash: row.transactionHash,
    block_number: row.blockNumber,
    success: row.succeeded,
    reason: row.reason,
    actual_gas_cost_wei: row.actualGasCostWei,
    actual_gas_cost_eur: row.settledMicro === null ? null : eurText(BigInt(row.settledMicro)),
    sponsored: row.isSponsored,
    submitted_at: submittedAt.toISOString(),
    confirmed_at: row.confirmedAt?.toISOString() ?? null,
  }
}
