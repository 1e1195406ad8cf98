import { equalBytes, keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import type { GenerateAnswer, ImportRequest, Received } from '@symbolon/crypto/node'
import { EnclaveFault } from './enclave-fault.ts'
import { sealKey } from './seal-key.ts'
import { takeSlots } from './secure-slots.ts'
import { transferOf } from './transfer-of.ts'
import type { Vault } from './vault.ts'

/**
 * Opens a key that was sealed to this boot's import key and makes a wallet of it, as `generate` does of a new one. Throws
 * `EnclaveFault`: `expired` for the import key of another boot, `invalid_payload` for what does not open, or is not a key of the curve.
 */
export function importKey(vault: Vault, request: Received<ImportRequest>): GenerateAnswer {
  if (!equalBytes(request.importKey, vault.importKey.publicKey)) {
    throw new EnclaveFault('expired', 'the import key of another boot')
  }
  const context = { info: keyTransferInfo.import, aad: keyTransferAad(transferOf(request)) }
  return takeSlots(vault.slots, (slots) => {
    const [{ key }] = slots
    const isOpen = vault.importKey.open(request, context, key)
    if (!isOpen || !vault.signers[request.curve].isPrivateKey(key)) {
      throw new EnclaveFault('invalid_payload', 'no key of this curve')
    }
    return sealKey(vault, request, slots)
  })
}
