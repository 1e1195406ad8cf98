import { wipe } from '@symbolon/crypto'
import { chainAddress, defaultChain, networks } from '@symbolon/networks/browser'
import { publicKeyOf } from '@symbolon/networks/private-key'
import { toBase64, toHex0x } from '@symbolon/networks/request'
import { OutcomeUnknown, repeat } from '../api/repeat.ts'
import { postWallet } from '../api/user-api.ts'
import { readWallet, type Wallet } from '../api/wallet.ts'
import type { Handlers } from '../connect/talk.ts'
import { FrameFailure, isFailure } from '../frame-failure.ts'
import { generateKey } from '../keys/generate-key.ts'
import { type KeyShares, shareIndex, splitKey, wipeShares } from '../keys/split-key.ts'
import type { Curve, JsonObject } from '../protocol/messages.ts'
import { commitShare, dropOffer, dropOtherOffers, offerShare } from '../shares/device-shares.ts'
import type { UserSession } from './user-session.ts'
import { requireClientMode, type Vault } from './vault.ts'

/** `wallet.create`: a fresh key, made here. */
export function createWallet(vault: Vault): Handlers['wallet.create'] {
  return async ({ curve }) => {
    requireClientMode(vault)
    const user = vault.user()
    const key = generateKey(curve, vault.random)
    try {
      return (await registerKey(vault, user, { curve, key, isFresh: true })).wire
    } finally {
      wipe(key)
    }
  }
}

/**
 * Splits a key and registers its wallet: this browser's share is durable before the service gets its own. A wallet of
 * another key that is there already is `wallet_exists`, and the share is forgotten; without an answer the share stays,
 * in case the wallet was made. `isFresh`: nobody else has ever had the key, so that a wallet of it is this very one.
 */
export async function registerKey(
  vault: Vault,
  user: UserSession,
  { curve, key, isFresh }: { curve: Curve; key: Uint8Array; isFresh: boolean },
): Promise<Wallet> {
  const identity = await user.identity()
  const owner = { ...identity, curve, publicKey: publicKeyOf(curve, key), isFresh }
  return vault.exclusive(`create ${identity.userIdentityId} ${curve}`, async () => {
    const shares = splitKey(key, vault.random)
    try {
      const offer = await offerShare(vault.shares, owner, null, shares.device)
      const wallet = await register(vault, user, owner, offer, shares)
      await commitShare(vault.shares, wallet, shares.device)
      await dropOtherOffers(vault.shares, wallet)
      return wallet
    } finally {
      wipeShares(shares)
    }
  })
}

type NewKey = { readonly curve: Curve; readonly publicKey: Uint8Array; readonly isFresh: boolean }

async function register(
  vault: Vault,
  user: UserSession,
  owner: NewKey,
  offer: string,
  shares: KeyShares,
): Promise<Wallet> {
  const { curve, publicKey } = owner
  const idempotencyKey = toHex0x(vault.random(16)).slice(2)
  const body = creationBody(owner, shares)
  try {
    const { value } = await repeat(vault.wait, () => postWallet(user.api, body, curve, idempotencyKey))
    if (toHex0x(value.publicKey) !== toHex0x(publicKey)) throw new FrameFailure('key_mismatch')
    return value
  } catch (error) {
    const failure = error instanceof OutcomeUnknown ? error.cause : error
    if (isFailure(failure, 'wallet_exists')) {
      const existing = readWallet(failure.details?.['wallet'], curve)
      const isOfThisKey = toHex0x(existing.publicKey) === toHex0x(publicKey)
      // An attempt whose answer was lost has made it, with these shares. A key that is imported may have come before.
      if (isOfThisKey && owner.isFresh) return existing
      if (!isOfThisKey) await dropOtherOffers(vault.shares, existing)
    } else if (!(error instanceof OutcomeUnknown)) await dropOffer(vault.shares, offer)
    throw failure
  }
}

function creationBody({ curve, publicKey }: NewKey, { provider, recovery }: KeyShares): JsonObject {
  const chain = networks.chain(defaultChain(curve))
  if (chain === undefined) throw new Error('no default chain')
  return {
    curve,
    address: chainAddress(networks, chain, publicKey),
    public_key: toHex0x(publicKey),
    provider_share: toBase64(provider),
    provider_share_index: shareIndex(provider),
    recovery_share: toBase64(recovery),
    recovery_share_index: shareIndex(recovery),
  }
}
