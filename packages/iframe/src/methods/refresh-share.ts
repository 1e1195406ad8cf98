import { sha256 } from '@noble/hashes/sha2.js'
import { shareRefreshStatement, wipe } from '@symbolon/crypto'
import { toHex0x } from '@symbolon/networks/request'
import { refreshShares } from '../api/user-api.ts'
import type { Wallet } from '../api/wallet.ts'
import type { Handlers } from '../connect/talk.ts'
import { signDigests } from '../keys/sign-digests.ts'
import { type KeyShares, shareIndex } from '../keys/split-key.ts'
import { agree } from './agree.ts'
import { namedAddresses } from './named-addresses.ts'
import { requireShare } from './require-share.ts'
import { newSharesBody, reshare } from './reshare.ts'
import { requireClientMode, type Vault } from './vault.ts'
import { withKey } from './with-key.ts'

/** `share.refresh`: once the person agrees, the key goes onto a fresh polynomial, and the key itself states that it wants to. */
export function refreshShare(vault: Vault): Handlers['share.refresh'] {
  return async ({ curve }, signal) => {
    requireClientMode(vault)
    const user = vault.user()
    const known = await user.wallet(curve)
    const { id } = known
    await requireShare(vault, known)
    await agree(vault, { subject: 'refresh', addresses: namedAddresses(known).slice(0, 1) }, signal)
    return vault.exclusive(`reshare ${id}`, async () => {
      const wallet = await user.freshWallet(curve)
      const request = { user, wallet, purpose: 'refresh', signal } as const
      const now = await withKey(vault, request, (key) =>
        reshare(vault, user, wallet, key, (shares) =>
          refreshShares(user.api, refreshBody(wallet, key, shares), curve),
        ),
      )
      return { wallet_id: now.id, polynomial_version: now.polynomialVersion }
    })
  }
}

function refreshBody(wallet: Wallet, key: Uint8Array, shares: KeyShares) {
  const { id, curve, publicKey, polynomialVersion } = wallet
  const statement = shareRefreshStatement({
    walletId: id,
    polynomialVersion,
    newProviderShare: shares.provider,
    newProviderShareIndex: shareIndex(shares.provider),
    newRecoveryShare: shares.recovery,
    newRecoveryShareIndex: shareIndex(shares.recovery),
  })
  try {
    const payload = curve === 'secp256k1' ? sha256(statement) : statement
    const [{ signature }] = signDigests([{ payload, scheme: 'plain' }], curve, key, publicKey)
    return {
      curve,
      polynomial_version: polynomialVersion,
      ...newSharesBody(shares),
      signature: toHex0x(signature),
    }
  } finally {
    wipe(statement)
  }
}
