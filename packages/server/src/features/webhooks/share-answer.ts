import { Base64 } from '@symbolon/api'
import * as z from 'zod'
import type { RecoveryShareRef } from '../../ports/recovery-share-store.ts'

const shareBytes = 33

const Answer = z.object({
  recovery_share: Base64.length((shareBytes / 3) * 4),
  share_index: z.int(),
  polynomial_version: z.int(),
})

/**
 * Reads the answer to a fetch: the share of exactly this index and version, 33 bytes that end in the index. `undefined` for
 * anything else, so that a share that the receiver mixed up never reaches a user as a key.
 */
export function readShareAnswer(
  { status, body }: { status: number; body: Uint8Array },
  ref: RecoveryShareRef,
): Uint8Array | undefined {
  if (status !== 200) return undefined
  const parsed = Answer.safeParse(parseJson(body))
  if (!parsed.success) return undefined
  const { recovery_share: text, share_index: index, polynomial_version: version } = parsed.data
  const share = new Uint8Array(Buffer.from(text, 'base64'))
  const isTheOne =
    index === ref.shareIndex &&
    version === ref.polynomialVersion &&
    share.length === shareBytes &&
    share[shareBytes - 1] === ref.shareIndex
  return isTheOne ? share : undefined
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
