import type { Curve } from '@symbolon/networks'
import { lockOrganization } from '../../../db/organization-lock.ts'
import type { Queryable } from '../../../db/pool.ts'
import type { RateGrant } from '../../../http/limiter.ts'
import type { UserPrincipal } from '../../../http/principal.ts'
import { EnclaveError } from '../../../ports/enclave.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { needsMode } from '../../../runtime/needs-mode.ts'
import { enqueue } from '../../outbox/index.ts'
import { enabledCurves } from '../core/enabled-curves.ts'
import { makeTeeWallet } from '../core/tee-wallet.ts'
import type { Wallet } from '../core/wallet.ts'
import { walletToWire } from '../core/wallet-to-wire.ts'
import { type NewWallet, walletsStore } from '../core/wallets.store.ts'
import {
  type CodeCall,
  checkCode,
  checkTransferCap,
  completeTransfer,
  type KeyTransferCtx,
  ownedTransfer,
  settleTransfer,
  startTransfer,
  transferEvent,
} from './key-transfer.ts'
import { transferredMail } from './key-transfer-mails.ts'
import { type KeyTransferRow, keyTransfersStore } from './key-transfers.store.ts'

type InitiateErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'no_email'
  | 'wallet_exists'
  | 'rate_limited'
  | 'unavailable'
type CompleteErrors =
  | 'signing_mode_mismatch'
  | 'invalid_payload'
  | 'invalid_request'
  | 'wallet_exists'
  | 'process_state'
  | 'expired'
  | 'token_revoked'
  | 'token_expired'

/** What a client seals its key to, and the document that proves that an enclave holds the other half. */
export type ImportStart = {
  id: string
  walletId: string
  enclavePublicKey: Uint8Array
  attestation: Uint8Array
  expiresAt: Date
}

/** A key under the enclave's import key. */
type SealedKey = { enc: Uint8Array; ciphertext: Uint8Array }

const polynomialVersion = 1

/** Starts the import of a private key as a TEE wallet: emails a code, and offers an enclave key to seal the private key to. */
export async function initiateKeyImport(
  ctx: KeyTransferCtx,
  principal: Pick<UserPrincipal, 'organization' | 'identity'>,
  curve: Curve,
  rate: (grant: RateGrant) => void,
): Promise<ImportStart | Failure<InitiateErrors>> {
  const { organization, identity } = principal
  const { email } = identity
  if (organization.signingMode !== 'tee') return needsMode('tee')
  if (!enabledCurves(organization).has(curve)) return failure('invalid_curve')
  if (email === null) return failure('no_email')
  const owned = {
    organizationId: organization.id,
    userIdentityId: identity.id,
    curve,
    kind: 'import',
  } as const
  const refused = (await refuseExisting(ctx.sql, owned)) ?? (await checkTransferCap(ctx, owned, rate))
  if (refused !== undefined) return refused

  const { enclave, ids } = ctx.tee
  const [id, walletId] = [ids.next(), ids.next()]
  const wallet = { ...owned, walletId }
  const offer = await enclave.importKey({ ...wallet, polynomialVersion }).catch((error: unknown) => {
    if (error instanceof EnclaveError) return failure('unavailable', { cause: error })
    throw error
  })
  if (isFailure(offer)) return offer
  const expiresAt = await startTransfer(
    ctx,
    { ...wallet, id, email, importKey: offer.publicKey, device: null },
    rate,
  )
  if (isFailure(expiresAt)) return expiresAt
  return { id, walletId, enclavePublicKey: offer.publicKey, attestation: offer.document, expiresAt }
}

/** Imports the sealed key for the emailed code: the enclave opens it and splits it into shares. */
export async function completeKeyImport(
  ctx: KeyTransferCtx,
  call: CodeCall & SealedKey,
  rate: (grant: RateGrant) => void,
): Promise<Wallet | Failure<CompleteErrors | 'not_found' | 'invalid_code' | 'rate_limited' | 'unavailable'>> {
  const transfer = await ownedTransfer(ctx, 'import', call)
  if (isFailure(transfer)) return transfer
  const refused = await checkCode(ctx, transfer, call, rate)
  if (refused !== undefined) return refused
  return settleTransfer(ctx, transfer, importWallet(ctx, transfer, call))
}

/** The wallet exists once its event is durable, if the user has none of the curve and the login stands at that moment. */
async function importWallet(
  ctx: KeyTransferCtx,
  transfer: KeyTransferRow,
  { principal, enc, ciphertext }: CodeCall & SealedKey,
): Promise<Wallet | Failure<CompleteErrors>> {
  const { sql, delay } = ctx
  const existing = await refuseExisting(sql, transfer)
  if (existing !== undefined) return existing
  const made = await openKey(ctx, transfer, { enc, ciphertext })
  if (isFailure(made)) return made
  const wallet = await insertWallet(ctx, transfer, made, principal)
  if (!isFailure(wallet)) delay.outbox.nudge()
  return wallet
}

/** Has the enclave open the key and split it. An import whose enclave key is gone expires. */
async function openKey(
  { sql, tee }: KeyTransferCtx,
  { id, walletId, organizationId, userIdentityId, curve, importKey }: KeyTransferRow,
  sealed: SealedKey,
): Promise<NewWallet | Failure<'invalid_request' | 'invalid_payload' | 'expired'>> {
  if (importKey === null) throw new Error('An import has no key.')
  const wanted = { organizationId, identityId: userIdentityId, curve, chainType: undefined }
  try {
    return await makeTeeWallet(tee, wanted, {
      walletId,
      makeKey: (request) => tee.enclave.import({ ...request, ...sealed, importKey, userIdentityId }),
    })
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error
    if (error.code === 'invalid_payload') {
      const message = 'The sealed key cannot be opened, or it is not a key of this curve.'
      return failure('invalid_payload', { message, cause: error })
    }
    if (error.code !== 'expired') throw error
    await sql.alone((tx) => keyTransfersStore.expire(tx, id))
    return failure('expired', { cause: error })
  }
}

/** Inserts the wallet with its event and the email about it. Refuses, and completes nothing, when there is a wallet of the curve by now. */
function insertWallet(
  { sql, audit, delay: { outbox } }: KeyTransferCtx,
  transfer: KeyTransferRow,
  made: NewWallet,
  { token }: UserPrincipal,
): Promise<Wallet | Failure<CompleteErrors>> {
  return sql.begin<Wallet | Failure<CompleteErrors>>(async (tx) => {
    await lockOrganization(tx, transfer.organizationId)
    const at = await completeTransfer(tx, transfer)
    if (isFailure(at)) return at
    const inserted = await walletsStore.insert(tx, made)
    // Without an existing wallet, the organization has changed its signing mode since this call began.
    if (inserted === undefined)
      return (await refuseExisting(tx, transfer)) ?? failure('signing_mode_mismatch')
    const mail = transferredMail('import', { address: inserted.address, at })
    await enqueue(tx, 'mail', outbox.seal({ to: transfer.email, ...mail }), transfer.organizationId)
    const event = transferEvent(transfer, { chain_type: inserted.chainType })
    const broken = await audit.appendIf(tx, event, { token })
    // A guard on a login alone.
    return broken === undefined ? inserted : failure(broken as 'token_revoked' | 'token_expired')
  })
}

async function refuseExisting(
  sql: Queryable,
  {
    organizationId,
    userIdentityId,
    curve,
  }: Pick<KeyTransferRow, 'organizationId' | 'userIdentityId' | 'curve'>,
): Promise<Failure<'wallet_exists'> | undefined> {
  const found = await walletsStore.byOwnerAndCurve(sql, organizationId, userIdentityId, curve)
  return found && failure('wallet_exists', { data: walletToWire(found.wallet) })
}
