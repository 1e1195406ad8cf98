import { keyTransferAad, keyTransferInfo, wipe } from '@symbolon/crypto'
import { sealToP256 } from '@symbolon/crypto/hpke'
import { NetworkError, networks, walletAddresses } from '@symbolon/networks/browser'
import { formatPrivateKey, parsePrivateKey, publicKeyOf } from '@symbolon/networks/private-key'
import { toBase64 } from '@symbolon/networks/request'
import { completeImport, type ImportStart, initiateImport } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import type { Handlers } from '../connect/talk.ts'
import type { Dialogs, KeyReading } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'
import type { Curve } from '../protocol/messages.ts'
import { askMailedCode } from './ask-mailed-code.ts'
import { registerKey } from './create-wallet.ts'
import { requireImportKey } from './require-import-key.ts'
import type { UserSession } from './user-session.ts'
import type { Vault } from './vault.ts'

/**
 * `wallet.import`: asks the person for a private key, in the frame, and registers its wallet: split here in client mode,
 * sealed to the attested enclave in TEE mode. `wallet_exists` before anything is asked.
 */
export function importWallet(vault: Vault): Handlers['wallet.import'] {
  return async ({ curve }, signal) => {
    const user = vault.user()
    const existing = await user.anyWallet(curve)
    if (existing !== undefined) {
      const details = { wallet: existing.wire }
      throw new FrameFailure('wallet_exists', { message: 'The wallet already exists.', details })
    }

    const { dialogs } = vault
    const { pageOrigin } = vault
    const formats = formatPrivateKey(networks, curve, new Uint8Array(32).fill(1)).map(({ label }) => label)
    const read = (text: string) => readKey(curve, text)
    const text = await dialogs.askKey({ curve, pageOrigin, formats, read }, signal)
    if (text === null) throw new FrameFailure('user_rejected')
    const key = parsePrivateKey(networks, curve, text)
    try {
      if (vault.organization.signing_mode === 'tee')
        return (await intoEnclave(vault, user, { curve, key }, dialogs, signal)).wire
      const endBusy = dialogs.busy('Importing your wallet…', signal)
      try {
        return (await registerKey(vault, user, { curve, key, isFresh: false })).wire
      } finally {
        endBusy()
      }
    } finally {
      wipe(key)
    }
  }
}

function readKey(curve: Curve, text: string): KeyReading {
  try {
    const key = parsePrivateKey(networks, curve, text)
    const addresses = Object.entries(walletAddresses(networks, curve, publicKeyOf(curve, key)))
    wipe(key)
    return { isKey: true, addresses: addresses.map(([label, address]) => ({ label, address })) }
  } catch (error) {
    if (error instanceof NetworkError) return { isKey: false, message: error.message }
    throw error
  }
}

type KeyOfCurve = { readonly curve: Curve; readonly key: Uint8Array }

async function intoEnclave(
  vault: Vault,
  user: UserSession,
  { curve, key }: KeyOfCurve,
  dialogs: Dialogs,
  signal: AbortSignal,
): Promise<Wallet> {
  const { organizationId, userIdentityId } = await user.identity()
  const starts = new Map<string, ImportStart>()
  return askMailedCode(
    dialogs,
    {
      purpose: 'import',
      pageOrigin: vault.pageOrigin,
      async start() {
        const start = await initiateImport(user.api, curve)
        starts.set(start.importId, start)
        return start.importId
      },
      async trade(importId, code) {
        const start = starts.get(importId)
        if (start === undefined) throw new Error('an import that was not started')
        // Here rather than at the start: minutes pass until the code is typed, and an enclave may have taken another's place.
        await requireImportKey(vault, start.enclavePublicKey, signal)
        const aad = keyTransferAad({ organizationId, userIdentityId, walletId: start.walletId, curve })
        const context = { info: keyTransferInfo.import, aad }
        const { enc, ciphertext } = await sealToP256(start.enclavePublicKey, key, context)
        const sealed = { enc: toBase64(enc), ciphertext: toBase64(ciphertext) }
        return completeImport(user.api, { import_id: importId, code, ...sealed }, curve)
      },
    },
    signal,
  )
}
