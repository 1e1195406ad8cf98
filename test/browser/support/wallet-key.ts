import { combineShares } from '@symbolon/crypto'
import { forgetRates, type User } from '@symbolon/testing/app'
import { rebuilt, recoverySteps } from '@symbolon/testing/wallets'
import type { Shop } from './shop.ts'

/** A wallet's key and the two shares that the platform answers a recovery with, 33 bytes each: y, then x. */
export type OpenedWallet = { key: Uint8Array; provider: Uint8Array; recovery: Uint8Array; version: number }

/** Opens a user's wallet as a recovery does, without completing it: nothing changes, and the test knows the key. */
export async function openWallet(
  { app }: Shop,
  user: User,
  curve: 'secp256k1' | 'ed25519' = 'secp256k1',
): Promise<OpenedWallet> {
  await forgetRates(app)
  const { data } = await recoverySteps(app, user).verified({ curve })
  const bytes = (name: string) => Uint8Array.from(Buffer.from(String(data[name]), 'base64'))
  return {
    key: rebuilt(data['provider_share'], data['recovery_share']),
    provider: bytes('provider_share'),
    recovery: bytes('recovery_share'),
    version: Number(data['polynomial_version']),
  }
}

/** The share at any index of the line through two shares: x' = x XOR index moves that point to zero. */
export function shareAt(index: number, { provider, recovery }: OpenedWallet): Uint8Array {
  for (const share of [provider, recovery]) if (share[32] === index) return share.slice()
  const moved = (share: Uint8Array) => {
    const copy = share.slice()
    copy[32] = (copy[32] ?? 0) ^ index
    return copy
  }
  const out = new Uint8Array(32)
  combineShares(moved(provider), moved(recovery), out)
  return Uint8Array.of(...out, index)
}
