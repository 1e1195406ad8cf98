import type { Fail, Wallet as WireWallet } from '@symbolon/api'
import type { Curve } from '@symbolon/networks'
import type { RateGrant } from '../../../http/limiter.ts'
import { EnclaveError } from '../../../ports/enclave.ts'
import { transferCodeMail, transferredMail } from './key-transfer-mails.ts'
import type { KeyTransferPorts, TransferCaller } from './key-transfer-ports.ts'
import { type KeyTransferRow, keyTransfersStore } from './key-transfers.store.ts'
import {
  type CodeCall,
  completeTransfer,
  ownedTransfer,
  type TradeErrors,
  tradeCode,
  transferEvent,
} from './trade-code.ts'

type InitiateErrors =
  | 'signing_mode_mismatch'
  | 'invalid_curve'
  | 'no_email'
  | 'wallet_exists'
  | 'rate_limited'
  | 'unavailable'
type CompleteErrors = TradeErrors | 'invalid_payload' | 'wallet_exists' | 'invalid_request'

/** What a client seals its key to, and how it knows that an enclave holds the other half. */
type ImportStart = {
  import_id: string
  wallet_id: string
  enclave_public_key: string
  attestation: string
  expires_at: string
}

/** A key under the enclave's import key. */
type SealedKey = { enc: Uint8Array; ciphertext: Uint8Array }

const polynomialVersion = 1

/** The import of a private key as a TEE wallet: a mailed code, and the key sealed to an attested enclave. */
export function keyImport(ports: KeyTransferPorts) {
  const { ids, audit, outbox, queueMail, codes, enclave, makeTeeWallet, insertWallet, findWallet } = ports
  const { enabledCurves, toWire } = ports

  async function refuseExisting(
    { organization, identity }: TransferCaller,
    curve: Curve,
    fail: Fail<'wallet_exists'>,
  ): Promise<void> {
    const wallet = await findWallet(organization.id, identity.id, curve)
    if (wallet !== undefined) throw fail('wallet_exists', { data: toWire(wallet) })
  }

  async function initiate(
    principal: TransferCaller,
    curve: Curve,
    fail: Fail<InitiateErrors>,
    rate: (grant: RateGrant) => void,
  ): Promise<ImportStart> {
    const { organization, identity } = principal
    const { email } = identity
    if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
    if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')
    if (email === null) throw fail('no_email')
    await refuseExisting(principal, curve, fail)
    const owned = { kind: 'import', userIdentityId: identity.id, curve } as const
    const subject = keyTransfersStore.startsOf(owned)
    await codes.refuseOverCap(subject, 'import-start', fail, rate)

    const [id, walletId] = [ids.next(), ids.next()]
    const wallet = { ...owned, organizationId: organization.id, walletId }
    const offer = await enclave.importKey({ ...wallet, polynomialVersion }).catch((error: unknown) => {
      throw error instanceof EnclaveError ? fail('unavailable', { cause: error }) : error
    })
    const { code, ...stored } = codes.draw('import-code', id)
    const mail = outbox.seal({ to: email, ...transferCodeMail('import', code) })
    const starting = { ...subject, organizationId: organization.id, limit: 'import-start' } as const
    const transfer = { ...wallet, ...stored, id, email, importKey: offer.publicKey }
    const expiresAt = await codes.start(starting, fail, rate, (tx) =>
      keyTransfersStore.start(tx, transfer, mail),
    )
    outbox.nudge()
    return {
      import_id: id,
      wallet_id: walletId,
      enclave_public_key: base64(offer.publicKey),
      attestation: base64(offer.document),
      expires_at: expiresAt.toISOString(),
    }
  }

  /** Has the enclave open the key and make shares of it. */
  async function make(
    { organization, identity }: TransferCaller,
    { id, walletId, curve, importKey }: KeyTransferRow,
    sealed: SealedKey,
    fail: Fail<CompleteErrors>,
  ) {
    if (importKey === null) throw new Error('An import without a key.')
    const wanted = { organization, identityId: identity.id, curve, chainType: undefined }
    try {
      return await makeTeeWallet(wanted, fail, {
        walletId,
        makeKey: (request) =>
          enclave.import({ ...request, ...sealed, importKey, userIdentityId: identity.id }),
      })
    } catch (error) {
      if (!(error instanceof EnclaveError)) throw error
      if (error.code === 'invalid_payload') {
        const message = 'The sealed key cannot be opened, or is no key of this curve.'
        throw fail('invalid_payload', { message, cause: error })
      }
      if (error.code !== 'expired') throw error
      await keyTransfersStore.expire(ports.sql, id)
      throw fail('expired', { cause: error })
    }
  }

  /** The wallet exists once its event is durable, if the user has none of the curve and the login stands at that moment. */
  async function complete(
    call: CodeCall & SealedKey,
    fail: Fail<CompleteErrors>,
    rate: (grant: RateGrant) => void,
  ): Promise<WireWallet> {
    const { principal, enc, ciphertext } = call
    const transfer = await ownedTransfer(ports, 'import', call, fail)
    const { organizationId, curve, email } = transfer
    return tradeCode(ports, transfer, call, { fail, rate }, async () => {
      await refuseExisting(principal, curve, fail)
      const made = await make(principal, transfer, { enc, ciphertext }, fail)
      const wallet = await codes.finish(organizationId, async (tx) => {
        const at = await completeTransfer(tx, transfer, fail)
        const inserted = await insertWallet(tx, made)
        if (inserted === undefined) return undefined
        const mail = transferredMail('import', { address: inserted.address, at })
        await queueMail(tx, outbox.seal({ to: email, ...mail }))
        const event = transferEvent(transfer, { chain_type: inserted.chainType })
        const broken = await audit.appendIf(tx, event, { token: principal.token })
        if (broken !== undefined) throw fail(broken as 'token_revoked' | 'token_expired')
        return inserted
      })
      outbox.nudge()
      if (wallet !== undefined) return toWire(wallet)
      await refuseExisting(principal, curve, fail)
      // The organization has changed where its keys sign, since this call began.
      throw fail('signing_mode_mismatch')
    })
  }

  return { initiate, complete }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
