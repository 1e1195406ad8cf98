import { toBase64 } from '../bytes.ts'
import { given } from '../given.ts'
import { type DecryptionKey, shareOpener } from './open-sealed-share.ts'
import type { StoredRecoveryShare } from './recovery-share-store.ts'
import { shareBytes } from './share-fields.ts'

/**
 * A stored share as the file that the rescue tool reads (JSON with the share unsealed: treat it as one half of the key).
 * Throws `Error` if the share was rotated away or if none of the keys opens it.
 */
export async function recoveryShareFile(
  stored: StoredRecoveryShare,
  decryptionKeys: readonly DecryptionKey[] = [],
): Promise<string> {
  // Doesn't require `share`: it is null once rotated away.
  given('recoveryShareFile', stored, ['walletId'])
  const { share, ...fields } = stored
  if (share === null) throw new Error('This share was rotated away.')
  const bytes =
    'sealedShare' in share
      ? await shareOpener(decryptionKeys)(share.sealedShare, fields)
      : shareBytes(share.recoveryShare, fields.shareIndex)
  if (bytes?.[32] !== fields.shareIndex) throw new Error('This share cannot be opened.')
  const file = {
    type: 'symbolon-share',
    version: 1,
    organization_id: fields.organizationId,
    wallet_id: fields.walletId,
    curve: fields.curve,
    polynomial_version: fields.polynomialVersion,
    share_index: fields.shareIndex,
    share: toBase64(bytes),
  }
  return `${JSON.stringify(file, null, 2)}\n`
}
