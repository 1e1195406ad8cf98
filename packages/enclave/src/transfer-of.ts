import { type KeyTransfer, uuidFromBytes } from '@symbolon/crypto'
import type { ImportKeyRequest, Received } from '@symbolon/crypto/node'

/** Whose key a request is about, as both ends of the transfer name it. */
export function transferOf({
  row,
  curve,
  userIdentityId,
}: Pick<Received<ImportKeyRequest>, 'row' | 'curve' | 'userIdentityId'>): KeyTransfer {
  return {
    organizationId: uuidFromBytes(row.subarray(0, 16)),
    walletId: uuidFromBytes(row.subarray(16, 32)),
    userIdentityId,
    curve,
  }
}
