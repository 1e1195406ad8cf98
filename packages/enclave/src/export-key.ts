import { keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import {
  type ExportAnswer,
  type ExportRequest,
  hpkeSeal,
  isP256Point,
  type Received,
} from '@symbolon/crypto/node'
import { EnclaveFault } from './enclave-fault.ts'
import { transferOf } from './transfer-of.ts'
import { rebuildKey, type Vault } from './vault.ts'

/**
 * Seals a wallet's key to the holder of `recipient`, once the key is proven to be the wallet's. Throws
 * `EnclaveFault('invalid_payload')` where `recipient` is not a point of P-256, and what `rebuildKey` throws.
 */
export function exportKey(vault: Vault, request: Received<ExportRequest>): ExportAnswer {
  if (!isP256Point(request.recipient)) throw new EnclaveFault('invalid_payload', 'no P-256 public key')
  const context = { info: keyTransferInfo.export, aad: keyTransferAad(transferOf(request)) }
  const key = vault.slots.take()
  const work = vault.slots.take()
  try {
    rebuildKey(vault, request, key, work)
    return hpkeSeal(request.recipient, key.key, context)
  } finally {
    vault.slots.give(work)
    vault.slots.give(key)
  }
}
