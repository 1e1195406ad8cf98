import { equalBytes, keyTransferAad, keyTransferInfo, wipe } from '@symbolon/crypto'
import { HpkeError, newP256Recipient } from '@symbolon/crypto/hpke'
import { networks } from '@symbolon/networks/browser'
import { formatPrivateKey, isPrivateKey, publicKeyOf } from '@symbolon/networks/private-key'
import { toBase64 } from '@symbolon/networks/request'
import { completeExport, initiateExport } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import type { Handlers } from '../connect/talk.ts'
import type { Dialogs, ExportView } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'
import { askMailedCode } from './ask-mailed-code.ts'
import { namedAddresses } from './named-addresses.ts'
import type { UserSession } from './user-session.ts'
import type { Vault } from './vault.ts'
import { waitingProcess } from './waiting-process.ts'
import { withKey } from './with-key.ts'

/**
 * `key.export`: shows the private key to the person, in the frame. In client mode it is rebuilt here; in TEE mode the
 * enclave seals it, after an emailed code, to a key pair that lives for this one request.
 */
export function exportKey(vault: Vault): Handlers['key.export'] {
  return async ({ curve }, signal) => {
    const user = vault.user()
    const wallet = await user.freshWallet(curve)
    const view: ExportView = { curve, pageOrigin: vault.pageOrigin, addresses: namedAddresses(wallet) }

    const { dialogs } = vault
    if (!(await dialogs.warnExport(view, signal))) throw new FrameFailure('user_rejected')
    const show = (key: Uint8Array) => dialogs.reveal({ ...view, formats: formatsOf(wallet, key) }, signal)
    if (vault.organization.signing_mode === 'client') {
      const request = { user, wallet, purpose: 'export', signal } as const
      return { is_revealed: await withKey(vault, request, show) }
    }
    const key = await fromEnclave(vault, user, wallet, dialogs, signal)
    try {
      return { is_revealed: await show(key) }
    } finally {
      wipe(key)
    }
  }
}

/** Each format spells the key only when it is looked at. */
function formatsOf({ curve }: Wallet, key: Uint8Array) {
  const spell = () => formatPrivateKey(networks, curve, key)
  return formatPrivateKey(networks, curve, new Uint8Array(32).fill(1)).map(({ label }, index) => ({
    label,
    text: () => spell()[index]?.text ?? '',
  }))
}

async function fromEnclave(
  vault: Vault,
  user: UserSession,
  wallet: Wallet,
  dialogs: Dialogs,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { curve } = wallet
  const recipient = await newP256Recipient()
  const sealed = await askMailedCode(
    dialogs,
    {
      purpose: 'export',
      pageOrigin: vault.pageOrigin,
      waiting: waitingProcess(vault, user, wallet, 'export'),
      start: () => initiateExport(user.api, curve),
      trade: (id, code) =>
        completeExport(user.api, {
          export_id: id,
          code,
          recipient_public_key: toBase64(recipient.publicKey),
        }),
    },
    signal,
  )
  const aad = keyTransferAad({
    organizationId: wallet.organizationId,
    userIdentityId: wallet.userIdentityId,
    walletId: wallet.id,
    curve,
  })
  const key = await recipient.open(sealed, { info: keyTransferInfo.export, aad }).catch((error: unknown) => {
    throw error instanceof HpkeError ? new FrameFailure('key_mismatch') : error
  })
  if (isPrivateKey(curve, key) && equalBytes(publicKeyOf(curve, key), wallet.publicKey)) return key
  wipe(key)
  throw new FrameFailure('key_mismatch')
}
