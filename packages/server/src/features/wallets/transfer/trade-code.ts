import { ApiError, type ErrorCode, type Fail } from '@symbolon/api'
import type { RateGrant } from '../../../http/limiter.ts'
import { EnclaveError } from '../../../ports/enclave.ts'
import type { KeyTransferPorts, TransferCaller } from './key-transfer-ports.ts'
import { type KeyTransferRow, keyTransfersStore, type TransferKind } from './key-transfers.store.ts'

/** What trading a code can end with, whatever it is traded for. */
export type TradeErrors =
  | 'signing_mode_mismatch'
  | 'invalid_code'
  | 'not_found'
  | 'process_state'
  | 'expired'
  | 'rate_limited'
  | 'token_revoked'
  | 'token_expired'
  | 'unavailable'

/** A call that brings a code. */
export type CodeCall = { principal: TransferCaller; id: string; code: string; address: string }

const events = { export: 'wallet.exported', import: 'wallet.imported' } as const

/** What the audit log says of a transfer. */
export const transferEvent = (
  { kind, id, organizationId, userIdentityId, walletId, curve }: KeyTransferRow,
  payload: Record<string, unknown> = {},
) =>
  ({
    organizationId,
    userIdentityId,
    walletId,
    type: events[kind],
    actorType: 'end_user',
    actorId: userIdentityId,
    payload: { [`${kind}_id`]: id, curve, ...payload },
    success: true,
  }) as const

/** The caller's transfer; one of somebody else, or of the other kind, is as good as none. */
export async function ownedTransfer(
  { sql }: KeyTransferPorts,
  kind: TransferKind,
  { principal: { organization, identity }, id }: CodeCall,
  fail: Fail<'signing_mode_mismatch' | 'not_found'>,
): Promise<KeyTransferRow> {
  if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
  const wanted = { organizationId: organization.id, identityId: identity.id, kind, id }
  const transfer = await keyTransfersStore.find(sql, wanted)
  if (transfer === undefined) throw fail('not_found')
  return transfer
}

const spentMessage = 'The code was used already, or was wrong too often. Start again.'

const outOfState = (state: string, fail: Fail<'expired' | 'process_state'>) =>
  state === 'expired' ? fail('expired') : fail('process_state', { message: spentMessage })

/**
 * Runs `run` for who brings the transfer's code; five guesses per transfer, and the right code is not spent until `run`
 * completes the transfer. Every refusal is recorded.
 */
export async function tradeCode<result, own extends ErrorCode>(
  ports: KeyTransferPorts,
  transfer: KeyTransferRow,
  { code, address, principal, id }: CodeCall,
  { fail, rate }: { fail: Fail<TradeErrors | own>; rate: (grant: RateGrant) => void },
  run: () => Promise<result>,
): Promise<result> {
  const { audit, codes } = ports
  const { kind, organizationId } = transfer
  const refuse = (errorCode: ErrorCode) =>
    audit.write({ ...transferEvent(transfer), success: false, errorCode })
  if (transfer.state !== 'open') throw outOfState(transfer.state, fail)
  await codes.throttle({ organizationId, address }, fail, rate)

  const guess = await codes.guess('transfer', `${kind}-code`, id, code)
  if (guess === 'spent') throw outOfState(await stateNow(), fail)
  if (guess === 'wrong') {
    await refuse('invalid_code')
    throw fail('invalid_code')
  }
  try {
    return await run()
  } catch (error) {
    await codes.giveBack('transfer', id)
    if (error instanceof EnclaveError && error.code === 'unavailable')
      throw fail('unavailable', { cause: error })
    if (error instanceof ApiError && error.code !== 'unavailable') await refuse(error.code)
    throw error
  }

  async function stateNow(): Promise<string> {
    const wanted = { organizationId, identityId: principal.identity.id, kind, id }
    return (await keyTransfersStore.find(ports.sql, wanted))?.state ?? 'expired'
  }
}

/** Completes a transfer inside its transaction; whoever lost it meanwhile learns why. */
export async function completeTransfer(
  tx: Parameters<typeof keyTransfersStore.complete>[0],
  transfer: KeyTransferRow,
  fail: Fail<'expired' | 'process_state'>,
): Promise<Date> {
  const at = await keyTransfersStore.complete(tx, transfer.id)
  if (at !== undefined) return at
  const { organizationId, userIdentityId: identityId, kind, id } = transfer
  const now = await keyTransfersStore.find(tx, { organizationId, identityId, kind, id })
  throw outOfState(now?.state ?? 'expired', fail)
}
