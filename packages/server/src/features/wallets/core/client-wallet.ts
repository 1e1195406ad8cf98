import type { CreateWallet, Fail } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import { type Curve, compressPublicKey, NetworkError, networks, walletAddresses } from '@symbolon/networks'
import type * as z from 'zod'
import type { Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import { RecoveryShareError, type RecoveryShareStore } from '../../../ports/recovery-share-store.ts'
import type { ShareEnvelopes } from '../shares/share-envelopes.ts'
import type { ReadSharePair } from '../shares/share-pair.ts'
import { chainTypeOf } from './chain-type.ts'
import { storedAddress } from './stored-address.ts'
import type { NewWallet } from './wallets.store.ts'

/** The fields that only a browser can fill in: it has made the key. */
export const clientFields = [
  'address',
  'public_key',
  'provider_share',
  'provider_share_index',
  'recovery_share',
  'recovery_share_index',
] as const

type Input = z.output<typeof CreateWallet>
type MakeErrors = 'invalid_request' | 'address_mismatch' | 'invalid_share' | 'recovery_webhook_failed'

export type MakeClientWallet = ReturnType<typeof clientWalletMaker>

/**
 * Makes the row of a wallet whose key was made in the browser: checks what the browser sent, seals the provider share, and
 * answers only once the recovery share is durable. A wallet id is new each time: whoever loses a race has replaced no share.
 */
export function clientWalletMaker(ports: {
  ids: Ids
  provider: ShareEnvelopes
  recoveryShares: RecoveryShareStore
  readSharePair: ReadSharePair
}) {
  const { ids, provider, recoveryShares, readSharePair } = ports

  return async (
    { organization, identityId, curve }: { organization: Organization; identityId: string; curve: Curve },
    input: Input,
    fail: Fail<MakeErrors>,
  ): Promise<NewWallet> => {
    const given = completeInput(input, fail)
    const chainType = chainTypeOf(curve, input.chain_type, fail)
    const publicKey = publicKeyOf(curve, given.public_key, fail)
    const addresses = walletAddresses(networks, curve, publicKey)
    const address = addresses[chainType] ?? ''
    if (storedAddress(given.address) !== address) throw fail('address_mismatch')
    const pair = readSharePair(
      {
        provider: given.provider_share,
        providerIndex: given.provider_share_index,
        recovery: given.recovery_share,
        recoveryIndex: given.recovery_share_index,
      },
      fail,
    )
    const walletId = ids.next()
    const position = { organizationId: organization.id, walletId, polynomialVersion: 1 }
    try {
      const sealed = await provider.seal({ ...position, shareIndex: pair.providerIndex }, pair.provider)
      const recoveryPlace = await recoveryShares.store(
        { ...position, userIdentityId: identityId, curve, shareIndex: pair.recoveryIndex },
        pair.recovery,
      )
      return {
        id: walletId,
        organizationId: organization.id,
        userIdentityId: identityId,
        curve,
        chainType,
        address,
        addresses,
        publicKey,
        signingMode: 'client',
        polynomialVersion: 1,
        clientShares: {
          ...position,
          providerIndex: pair.providerIndex,
          providerEnvelope: sealed.envelope,
          providerKeyVersion: sealed.keyVersion,
          recoveryIndex: pair.recoveryIndex,
          recoveryPlace,
        },
      }
    } catch (error) {
      if (error instanceof RecoveryShareError) throw fail('recovery_webhook_failed', { cause: error })
      throw error
    } finally {
      wipe(pair.provider)
      wipe(pair.recovery)
    }
  }
}

function completeInput(input: Input, fail: Fail<'invalid_request'>): Input & Required<Pick<Input, Field>> {
  const missing = clientFields.filter((field) => input[field] === undefined)
  if (missing.length === 0) return input as Input & Required<Pick<Input, Field>>
  const issues = missing.map((field) => ({ path: [field], message: 'required in client mode' }))
  throw fail('invalid_request', { details: { issues } })
}

type Field = (typeof clientFields)[number]

function publicKeyOf(curve: Curve, hex: string, fail: Fail<'invalid_request'>): Uint8Array {
  try {
    return compressPublicKey(curve, Uint8Array.from(Buffer.from(hex.slice(2), 'hex')))
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    const issues = [{ path: ['public_key'], message: `not a point of ${curve}` }]
    throw fail('invalid_request', { details: { issues } })
  }
}
