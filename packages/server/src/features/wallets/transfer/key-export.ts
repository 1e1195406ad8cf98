import { isP256Point } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { RateGrant } from '../../../http/limiter.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import { giveGuessBack } from '../../mailed-codes/index.ts'
import { enqueue } from '../../outbox/index.ts'
import { enabledCurves } from '../core/enabled-curves.ts'
import { walletsStore } from '../core/wallets.store.ts'
import { deviceOf, holdBack } from '../delay/delay.ts'
import { isExportEnabled } from '../delay/export-enabled.ts'
import {
  type CodeCall,
  checkCode,
  checkTransferCap,
  completeTransfer,
  type KeyTransferCtx,
  recordRefusal,
  settleTransfer,
  startTransfer,
  transferEvent,
  usableTransfer,
} from './key-transfer.ts'
import { transferredMail } from './key-transfer-mails.ts'
import type { KeyTransferRow } from './key-transfers.store.ts'

type InitiateErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'no_email'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rate_limited'
  | 'export_disabled'
  | 'invalid_request'
type CompleteErrors =
  | 'not_found'
  | 'process_state'
  | 'expired'
  | 'wallet_archived'
  | 'token_revoked'
  | 'token_expired'
  | 'unauthorized'
  | 'export_disabled'

/** A private key that only the holder of the recipient key can open. */
type ExportedKey = { wallet_id: string; curve: Curve; enc: string; ciphertext: string }

/** Starts the export of a TEE wallet's private key: emails a code, as often as the user's caps allow. */
export async function initiateKeyExport(
  ctx: KeyTransferCtx,
  { organization, identity }: Pick<UserPrincipal, 'organization' | 'identity'>,
  { curve, device: header }: { curve: Curve; device: string | undefined },
  rate: (grant: RateGrant) => void,
): Promise<{ id: string; expiresAt: Date } | Failure<InitiateErrors>> {
  if (organization.signingMode !== 'tee') return needsMode('tee')
  if (!(await isExportEnabled(ctx.sql, organization.id))) return failure('export_disabled')
  if (!enabledCurves(organization).has(curve)) return failure('invalid_curve')
  const { email } = identity
  if (email === null) return failure('no_email')
  const found = await walletsStore.byOwnerAndCurve(ctx.sql, organization.id, identity.id, curve)
  if (found === undefined) return failure('wallet_not_found')
  if (found.wallet.status === 'archived') return failure('wallet_archived')

  const device = deviceOf(ctx.delay, organization.id, header)
  if (isFailure(device)) return device
  const id = ctx.tee.ids.next()
  const owned = {
    organizationId: organization.id,
    userIdentityId: identity.id,
    curve,
    kind: 'export',
  } as const
  const refused = await checkTransferCap(ctx, owned, rate)
  if (refused !== undefined) return refused
  const transfer = { ...owned, id, email, walletId: found.wallet.id, importKey: null, device }
  const expiresAt = await startTransfer(ctx, transfer, rate)
  return isFailure(expiresAt) ? expiresAt : { id, expiresAt }
}

/** Exports the private key for the emailed code, sealed by the enclave to the recipient (a P-256 point). */
export async function completeKeyExport(
  ctx: KeyTransferCtx,
  call: CodeCall & { recipient: Uint8Array },
  rate: (grant: RateGrant) => void,
): Promise<
  | ExportedKey
  | Failure<
      | CompleteErrors
      | 'signing_mode_mismatch'
      | 'invalid_request'
      | 'invalid_code'
      | 'rate_limited'
      | 'unavailable'
      | 'export_delayed'
    >
> {
  const transfer = await usableTransfer(ctx, 'export', call)
  if (isFailure(transfer)) return transfer
  if (!isP256Point(call.recipient)) {
    const issues = [{ path: ['recipient_public_key'], message: 'is not a point of P-256' }]
    return failure('invalid_request', { details: { issues } })
  }
  if (transfer.walletStatus === 'archived') {
    await recordRefusal(ctx.audit, transfer, 'wallet_archived')
    return failure('wallet_archived')
  }
  if (!(await isExportEnabled(ctx.sql, transfer.organizationId))) {
    await recordRefusal(ctx.audit, transfer, 'export_disabled')
    return failure('export_disabled')
  }
  const refused = (await checkCode(ctx, transfer, call, rate)) ?? (await delayExport(ctx, transfer))
  if (refused !== undefined) return refused
  return settleTransfer(ctx, transfer, exportKey(ctx, transfer, call))
}

/** Holds the export back after a right code, if its device is new to the user. */
async function delayExport(
  ctx: KeyTransferCtx,
  transfer: KeyTransferRow,
): Promise<undefined | Failure<'export_delayed'>> {
  const held = await holdBack(ctx.delay, { ...transfer, place: 'transfer' })
  if (held === undefined) return undefined
  if (held.isNew) await recordRefusal(ctx.audit, transfer, 'export_delayed')
  else await giveGuessBack(ctx.codes, 'transfer', transfer.id)
  return failure('export_delayed', { details: { ready_at: held.readyAt.toISOString() } })
}

/** The sealed key leaves once its event is durable, if the wallet is active and the login stands at that moment. */
async function exportKey(
  { sql, audit, tee, wallets, delay: { outbox } }: KeyTransferCtx,
  transfer: KeyTransferRow,
  { principal: { token }, recipient }: CodeCall & { recipient: Uint8Array },
): Promise<ExportedKey | Failure<CompleteErrors>> {
  const { walletId, organizationId, userIdentityId, curve } = transfer
  const wallet = await wallets.load(walletId)
  if (wallet === undefined) return failure('not_found')
  const sealed = await tee.enclave.export({ ...wallet, walletId, userIdentityId, recipient })
  const refused = await sql.begin(async (tx) => {
    await lockOrganization(tx, organizationId)
    if (!(await isExportEnabled(tx, organizationId))) return failure('export_disabled')
    const at = await completeTransfer(tx, transfer)
    if (isFailure(at)) return at
    const mail = transferredMail('export', { address: transfer.address ?? '', at })
    await enqueue(tx, 'mail', outbox.seal({ to: transfer.email, ...mail }), organizationId)
    const broken = await audit.appendIf(tx, transferEvent(transfer), { walletId, token })
    if (broken === undefined) return undefined
    wallets.forget(walletId)
    return failure(broken)
  })
  if (refused !== undefined) return refused
  outbox.nudge()
  return { wallet_id: walletId, curve, enc: base64(sealed.enc), ciphertext: base64(sealed.ciphertext) }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
