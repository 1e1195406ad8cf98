import type { ErrorCode } from '@symbolon/api'
import type { Sql, Transaction } from '../../../db/pool.ts'
import type { RateGrant } from '../../../http/limiter.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { EnclaveError } from '../../../ports/enclave.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import type { Audit } from '../../audit/index.ts'
import {
  type CodesCtx,
  checkStartCap,
  giveGuessBack,
  guessCode,
  makeCode,
  startWithCode,
  throttleGuesses,
} from '../../mailed-codes/index.ts'
import type { SigningWallets } from '../core/signing-wallets.ts'
import type { TeeWalletCtx } from '../core/tee-wallet.ts'
import { type DelayCtx, deviceOf, isSameDevice, mayEndDelayed } from '../delay/delay.ts'
import { transferCodeMail } from './key-transfer-mails.ts'
import { type KeyTransferRow, keyTransfersStore, type TransferKind } from './key-transfers.store.ts'

/** The context for exporting and importing keys; emails leave through the outbox of `delay`. */
export type KeyTransferCtx = {
  sql: Sql
  audit: Audit
  codes: CodesCtx
  tee: TeeWalletCtx
  wallets: SigningWallets
  delay: DelayCtx
}

/** A call that brings the code of a transfer. */
export type CodeCall = {
  principal: UserPrincipal
  id: string
  code: string
  address: string
  /** The header `X-Service-Device`. */
  device: string | undefined
}

type OutOfState = Failure<'expired' | 'process_state'>

/** Whose key goes which way. */
type Owned = {
  kind: TransferKind
  organizationId: string
  userIdentityId: string
  curve: KeyTransferRow['curve']
}

/** Refuses to start a transfer over the cap on the user's transfers of this kind. */
export const checkTransferCap = (
  { codes }: KeyTransferCtx,
  owned: Owned,
  rate: (grant: RateGrant) => void,
): Promise<Failure<'rate_limited'> | undefined> =>
  checkStartCap(codes, { ...keyTransfersStore.startsOf(owned), limit: `${owned.kind}-start` }, rate)

/** Starts a transfer if the cap allows it, and emails its code. Returns when it expires. */
export async function startTransfer(
  { codes, delay: { outbox } }: KeyTransferCtx,
  transfer: Owned & Pick<KeyTransferRow, 'id' | 'walletId' | 'email' | 'importKey' | 'device'>,
  rate: (grant: RateGrant) => void,
): Promise<Date | Failure<'rate_limited'>> {
  const { kind, organizationId } = transfer
  const { code, ...stored } = makeCode(codes, `${kind}-code`, transfer.id)
  const mail = outbox.seal({ to: transfer.email, ...transferCodeMail(kind, code) })
  const subject = { ...keyTransfersStore.startsOf(transfer), limit: `${kind}-start`, organizationId } as const
  const expiresAt = await startWithCode(codes, subject, rate, async (tx) => {
    const endsDelayed = await mayEndDelayed(tx, transfer)
    return keyTransfersStore.start(tx, { ...transfer, ...stored, endsDelayed }, mail)
  })
  if (!isFailure(expiresAt)) outbox.nudge()
  return expiresAt
}

/** The user's own transfer of the kind, for the device that opened it; to another user or device it does not exist. */
export async function usableTransfer(
  ctx: KeyTransferCtx,
  kind: TransferKind,
  call: CodeCall,
): Promise<KeyTransferRow | Failure<'signing_mode_mismatch' | 'not_found' | 'invalid_request'>> {
  const device = deviceOf(ctx.delay, call.principal.organization.id, call.device)
  if (isFailure(device)) return device
  const transfer = await ownedTransfer(ctx, kind, call)
  if (isFailure(transfer) || isSameDevice(transfer.device, device)) return transfer
  return failure('not_found')
}

/** The user's own transfer of the kind; another user's is not found. */
export async function ownedTransfer(
  { sql }: KeyTransferCtx,
  kind: TransferKind,
  { principal: { organization, identity }, id }: Pick<CodeCall, 'principal' | 'id'>,
): Promise<KeyTransferRow | Failure<'signing_mode_mismatch' | 'not_found'>> {
  if (organization.signingMode !== 'tee') return needsMode('tee')
  const wanted = { organizationId: organization.id, identityId: identity.id, kind, id }
  return (await keyTransfersStore.find(sql, wanted)) ?? failure('not_found')
}

/** Checks the code of a transfer, which has five guesses, and records a wrong one. Undefined when it is right. */
export async function checkCode(
  { sql, audit, codes }: KeyTransferCtx,
  transfer: KeyTransferRow,
  { principal, code, address }: CodeCall,
  rate: (grant: RateGrant) => void,
): Promise<undefined | OutOfState | Failure<'rate_limited' | 'invalid_code'>> {
  const { kind, id, organizationId } = transfer
  if (transfer.state !== 'open' && transfer.state !== 'delayed') return outOfState(transfer.state)
  const guesser = { organizationId, userId: principal.identity.id, address }
  const throttled = await throttleGuesses(codes, guesser, rate)
  if (throttled !== undefined) return throttled

  const guess = await guessCode(codes, { place: 'transfer', purpose: `${kind}-code`, id }, code)
  if (guess === 'spent') return outOfStateNow(sql, transfer)
  if (guess === 'right') return undefined
  await recordRefusal(audit, transfer, 'invalid_code')
  return failure('invalid_code')
}

/** Settles what was done for a right code: unless it succeeded, the guess is given back and a refusal is recorded. */
export async function settleTransfer<result>(
  { audit, codes }: KeyTransferCtx,
  transfer: KeyTransferRow,
  done: Promise<result>,
): Promise<result | Failure<'unavailable'>> {
  const outcome = await done.catch(async (error: unknown) => {
    if (error instanceof EnclaveError && error.code === 'unavailable')
      return failure('unavailable', { cause: error })
    await giveGuessBack(codes, 'transfer', transfer.id)
    throw error
  })
  if (!isFailure(outcome)) return outcome
  await giveGuessBack(codes, 'transfer', transfer.id)
  if (outcome.code !== 'unavailable') await recordRefusal(audit, transfer, outcome.code)
  return outcome
}

/** Completes a transfer inside its transaction, at the time returned, or says why it no longer can. */
export async function completeTransfer(
  tx: Transaction,
  transfer: KeyTransferRow,
): Promise<Date | OutOfState> {
  return (await keyTransfersStore.complete(tx, transfer.id)) ?? outOfStateNow(tx, transfer)
}

/** The event of a transfer that succeeded. */
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

/** Records why a transfer was refused. */
export const recordRefusal = (audit: Audit, transfer: KeyTransferRow, errorCode: ErrorCode): Promise<void> =>
  audit.write({ ...transferEvent(transfer), success: false, errorCode })

const events = { export: 'wallet.exported', import: 'wallet.imported' } as const

async function outOfStateNow(sql: Sql | Transaction, transfer: KeyTransferRow): Promise<OutOfState> {
  const { organizationId, userIdentityId: identityId, kind, id } = transfer
  const now = await keyTransfersStore.find(sql, { organizationId, identityId, kind, id })
  return outOfState(now?.state ?? 'expired')
}

const outOfState = (state: string): OutOfState =>
  state === 'expired'
    ? failure('expired')
    : failure('process_state', {
        message: 'The code was already used, or was wrong too often. Start again.',
      })
