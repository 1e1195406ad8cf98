import type { CreateWallet } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import { type Curve, compressPublicKey, NetworkError, networks, walletAddresses } from '@symbolon/networks'
import type * as z from 'zod'
import type { Ids } from '../../../ports/clock.ts'
import type { Kms } from '../../../ports/kms.ts'
import { RecoveryShareError, type RecoveryShareStore } from '../../../ports/recovery-share-store.ts'
import { type Failure, failure, isFailure } from '../../../runtime/failure.ts'
import { sealShare } from '../shares/share-envelopes.ts'
import { readSharePair, type SharePair } from '../shares/share-pair.ts'
import type { NewWalletShares } from '../shares/wallet-shares.store.ts'
import { chainTypeOf } from './chain-type.ts'
import { storedAddress } from './stored-address.ts'
import type { NewWallet } from './wallets.store.ts'

/** The fields that only a browser can fill in, because it made the key. */
export const clientFields = [
  'address',
  'public_key',
  'provider_share',
  'provider_share_index',
  'recovery_share',
  'recovery_share_index',
] as const

type Field = (typeof clientFields)[number]
type Input = z.output<typeof CreateWallet>
type CompleteInput = Input & Required<Pick<Input, Field>>

/** The context for storing the shares of a client wallet. */
export type ClientWalletCtx = { ids: Ids; kms: Kms; recoveryShares: RecoveryShareStore }

/** Whose wallet it will be. */
type Owned = { organizationId: string; identityId: string; curve: Curve }

/**
 * Makes the row of a wallet whose key was made in the browser: checks what the browser sent, seals the provider share, and
 * returns once the recovery share is durable. The wallet id is new, so a request that loses a race replaces no share.
 */
export async function makeClientWallet(
  ctx: ClientWalletCtx,
  owned: Owned,
  input: Input,
): Promise<
  NewWallet | Failure<'invalid_request' | 'address_mismatch' | 'invalid_share' | 'recovery_webhook_failed'>
> {
  const given = completeInput(input)
  if (isFailure(given)) return given
  const chainType = chainTypeOf(owned.curve, input.chain_type)
  if (isFailure(chainType)) return chainType
  const publicKey = publicKeyOf(owned.curve, given.public_key)
  if (isFailure(publicKey)) return publicKey
  const addresses = walletAddresses(networks, owned.curve, publicKey)
  const address = addresses[chainType] ?? ''
  if (storedAddress(given.address) !== address) return failure('address_mismatch')
  const pair = readSharePair({
    provider: given.provider_share,
    providerIndex: given.provider_share_index,
    recovery: given.recovery_share,
    recoveryIndex: given.recovery_share_index,
  })
  if (isFailure(pair)) return pair
  const id = ctx.ids.next()
  const clientShares = await storeShares(ctx, owned, id, pair)
  if (isFailure(clientShares)) return clientShares
  return {
    id,
    organizationId: owned.organizationId,
    userIdentityId: owned.identityId,
    curve: owned.curve,
    chainType,
    address,
    addresses,
    publicKey,
    signingMode: 'client',
    polynomialVersion: clientShares.polynomialVersion,
    clientShares,
  }
}

/** Seals the provider share and makes the recovery share durable. Wipes both. */
async function storeShares(
  { kms, recoveryShares }: ClientWalletCtx,
  { organizationId, identityId, curve }: Owned,
  walletId: string,
  pair: SharePair,
): Promise<NewWalletShares | Failure<'recovery_webhook_failed'>> {
  const { providerIndex, recoveryIndex } = pair
  const position = { organizationId, walletId, polynomialVersion: 1 }
  try {
    const sealed = await sealShare(kms, 'provider', { ...position, shareIndex: providerIndex }, pair.provider)
    const ref = { ...position, userIdentityId: identityId, curve, shareIndex: recoveryIndex }
    const recoveryPlace = await recoveryShares.store(ref, pair.recovery)
    return {
      ...position,
      providerIndex,
      providerEnvelope: sealed.envelope,
      providerKeyVersion: sealed.keyVersion,
      recoveryIndex,
      recoveryPlace,
    }
  } catch (error) {
    if (error instanceof RecoveryShareError) return failure('recovery_webhook_failed', { cause: error })
    throw error
  } finally {
    wipe(pair.provider, pair.recovery)
  }
}

function completeInput(input: Input): CompleteInput | Failure<'invalid_request'> {
  const missing = clientFields.filter((field) => input[field] === undefined)
  if (missing.length === 0) return input as CompleteInput
  const issues = missing.map((field) => ({ path: [field], message: 'is required in client mode' }))
  return failure('invalid_request', { details: { issues } })
}

function publicKeyOf(curve: Curve, hex: string): Uint8Array | Failure<'invalid_request'> {
  try {
    return compressPublicKey(curve, Uint8Array.from(Buffer.from(hex.slice(2), 'hex')))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const issues = [{ path: ['public_key'], message: `is not a point of ${curve}` }]
    return failure('invalid_request', { details: { issues } })
  }
}
