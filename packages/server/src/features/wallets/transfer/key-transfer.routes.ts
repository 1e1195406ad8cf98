import {
  completeKeyExport as completeExportRoute,
  completeKeyImport as completeImportRoute,
  getKeyExport,
  initiateKeyExport as initiateExportRoute,
  initiateKeyImport as initiateImportRoute,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { mapResult } from '../../../runtime/failure.ts'
import { walletToWire } from '../core/wallet-to-wire.ts'
import { completeKeyExport, initiateKeyExport } from './key-export.ts'
import { completeKeyImport, type ImportStart, initiateKeyImport } from './key-import.ts'
import { type KeyTransferCtx, ownedTransfer } from './key-transfer.ts'

/** The routes of keys that leave the enclave or enter it. */
export const keyTransferRoutes = (ctx: KeyTransferCtx) => [
  on(initiateExportRoute, async ({ principal, body, rate, request: { device } }) =>
    mapResult(
      await initiateKeyExport(ctx, principal, { curve: body?.curve ?? 'secp256k1', device }, rate),
      ({ id, expiresAt }) => ({ export_id: id, expires_at: expiresAt.toISOString() }),
    ),
  ),

  on(completeExportRoute, ({ principal, body, rate, request: { address, device } }) => {
    const { export_id: id, code, recipient_public_key: recipient } = body
    return completeKeyExport(ctx, { principal, id, code, address, device, recipient: bytes(recipient) }, rate)
  }),

  on(getKeyExport, async ({ principal, params }) =>
    mapResult(
      await ownedTransfer(ctx, 'export', { principal, id: params.export_id }),
      ({ id, walletId, state, readyAt, expiresAt }) => ({
        export_id: id,
        wallet_id: walletId,
        state,
        ready_at: readyAt?.toISOString() ?? null,
        expires_at: expiresAt.toISOString(),
      }),
    ),
  ),

  on(initiateImportRoute, async ({ principal, body, rate }) =>
    mapResult(await initiateKeyImport(ctx, principal, body?.curve ?? 'secp256k1', rate), wireImport),
  ),

  on(completeImportRoute, async ({ principal, body, rate, request: { address, device } }) => {
    const { import_id: id, code } = body
    const sealed = { enc: bytes(body.enc), ciphertext: bytes(body.ciphertext) }
    return mapResult(
      await completeKeyImport(ctx, { principal, id, code, address, device, ...sealed }, rate),
      walletToWire,
    )
  }),
]

const wireImport = ({ id, walletId, enclavePublicKey, attestation, expiresAt }: ImportStart) => ({
  import_id: id,
  wallet_id: walletId,
  enclave_public_key: Buffer.from(enclavePublicKey).toString('base64'),
  attestation: Buffer.from(attestation).toString('base64'),
  expires_at: expiresAt.toISOString(),
})

const bytes = (base64: string): Uint8Array => Uint8Array.from(Buffer.from(base64, 'base64'))
