import * as z from 'zod'
import { Base64, Curve } from './formats.ts'

const shareIndex = z.int().min(1).max(255)

/** The shares of the rebuilt key on a fresh polynomial, and the key's signature over the exchange. */
export const RefreshShares = z
  .strictObject({
    curve: Curve.exactOptional().meta({ description: 'Defaults to `secp256k1`.' }),
    polynomial_version: z.int().min(1).max(2_147_483_646).meta({ description: 'The version to replace.' }),
    new_provider_share: Base64.max(64),
    new_provider_share_index: shareIndex,
    new_recovery_share: Base64.max(64),
    new_recovery_share_index: shareIndex,
    signature: z
      .string()
      .regex(/^0x[0-9a-fA-F]{128}$/, 'must be 64 bytes in 0x-prefixed hex')
      .meta({
        description:
          'Over the statement `symbolon/share-refresh/v1`, NUL, wallet id (16 bytes), version (4, big-endian), provider index (1), provider share (33), recovery index (1), recovery share (33). secp256k1: ECDSA r‖s, low s, over its SHA-256; ed25519: over the statement itself.',
      }),
  })
  .meta({ id: 'RefreshShares' })
