import type { Fail } from '@symbolon/api'
import { isP256Point } from '@symbolon/crypto/node'
import type { Curve } from '@symbolon/networks'
import type { RateGrant } from '../../../http/limiter.ts'
import { transferCodeMail, transferredMail } from './key-transfer-mails.ts'
import type { KeyTransferPorts, TransferCaller } from './key-transfer-ports.ts'
import { keyTransfersStore } from './key-transfers.store.ts'
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
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'rate_limited'

/** A private key that only the holder of the recipient key can open. */
type ExportedKey = { wallet_id: string; curve: Curve; enc: string; ciphertext: string }

/** The export of a TEE wallet's private key: a mailed code, then the enclave seals the key to its owner. */
export function keyExport(ports: KeyTransferPorts) {
  const { ids, audit, outbox, queueMail, codes, enclave, readyWallets, findWallet, enabledCurves } = ports

  async function initiate(
    { organization, identity }: TransferCaller,
    curve: Curve,
    fail: Fail<InitiateErrors>,
    rate: (grant: RateGrant) => void,
  ): Promise<{ export_id: string; expires_at: string }> {
    if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
    if (!enabledCurves(organization).has(curve)) throw fail('invalid_curve')
    const { email } = identity
    if (email === null) throw fail('no_email')
    const wallet = await findWallet(organization.id, identity.id, curve)
    if (wallet === undefined) throw fail('wallet_not_found')
    if (wallet.status === 'archived') throw fail('wallet_archived')

    const id = ids.next()
    const owned = { kind: 'export', userIdentityId: identity.id, curve } as const
    const subject = keyTransfersStore.startsOf(owned)
    await codes.refuseOverCap(subject, 'export-start', fail, rate)
    const { code, ...stored } = codes.draw('export-code', id)
    const mail = outbox.seal({ to: email, ...transferCodeMail('export', code) })
    const starting = { ...subject, organizationId: organization.id, limit: 'export-start' } as const
    const transfer = { ...owned, ...stored, id, email, walletId: wallet.id, importKey: null }
    const expiresAt = await codes.start(starting, fail, rate, (tx) =>
      keyTransfersStore.start(tx, { ...transfer, organizationId: organization.id }, mail),
    )
    outbox.nudge()
    return { export_id: id, expires_at: expiresAt.toISOString() }
  }

  /** The sealed key leaves once its event is durable, if the wallet is active and the login stands at that moment. */
  async function complete(
    call: CodeCall & { recipient: Uint8Array },
    fail: Fail<TradeErrors | 'invalid_request' | 'wallet_archived'>,
    rate: (grant: RateGrant) => void,
  ): Promise<ExportedKey> {
    const { token } = call.principal
    const transfer = await ownedTransfer(ports, 'export', call, fail)
    if (!isP256Point(call.recipient)) {
      const issues = [{ path: ['recipient_public_key'], message: 'not a point of P-256' }]
      throw fail('invalid_request', { details: { issues } })
    }
    if (transfer.walletStatus === 'archived') {
      await audit.write({ ...transferEvent(transfer), success: false, errorCode: 'wallet_archived' })
      throw fail('wallet_archived')
    }
    const { walletId, organizationId, userIdentityId, curve } = transfer

    return tradeCode(ports, transfer, call, { fail, rate }, async () => {
      const wallet = await readyWallets.load(walletId)
      if (wallet === undefined) throw fail('not_found')
      const sealed = await enclave.export({ ...wallet, walletId, userIdentityId, recipient: call.recipient })
      await codes.finish(organizationId, async (tx) => {
        const at = await completeTransfer(tx, transfer, fail)
        const mail = transferredMail('export', { address: transfer.address ?? '', at })
        await queueMail(tx, outbox.seal({ to: transfer.email, ...mail }))
        const broken = await audit.appendIf(tx, transferEvent(transfer), { walletId, token })
        if (broken === undefined) return
        readyWallets.forget(walletId)
        throw fail(broken as 'wallet_archived' | 'token_revoked' | 'token_expired' | 'not_found')
      })
      outbox.nudge()
      return { wallet_id: walletId, curve, enc: base64(sealed.enc), ciphertext: base64(sealed.ciphertext) }
    })
  }

  return { initiate, complete }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
