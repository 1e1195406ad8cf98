import type { NetworkName } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import { parseEnvelope } from '@symbolon/crypto/node'
import { type Curve, networks, walletAddresses } from '@symbolon/networks'
import type { Ids } from '../../../ports/clock.ts'
import type { Enclave } from '../../../ports/enclave.ts'
import type { Kms } from '../../../ports/kms.ts'
import { type Failure, isFailure } from '../../../runtime/failure.ts'
import { chainTypeOf } from './chain-type.ts'
import type { NewWallet } from './wallets.store.ts'

/** The index of share B on the polynomial of a TEE wallet, as in the enclave's SPEC.md. */
export const shareIndexB = 2

/** What TEE wallets are made with. */
export type TeeWalletCtx = { enclave: Enclave; kms: Kms; ids: Ids }

/** The origin of an imported key, and the id of its wallet. */
type KeyOrigin = { walletId?: string; makeKey?: Enclave['generate'] }

/**
 * Makes the key of a TEE wallet inside the enclave, or has the enclave import one. Share B is sealed under a data key of our KMS, so
 * the database with either key-encryption key alone opens nothing; this process never sees a share in plain.
 */
export async function makeTeeWallet(
  { enclave, kms, ids }: TeeWalletCtx,
  wanted: {
    organizationId: string
    identityId: string
    curve: Curve
    chainType: NetworkName | undefined
  },
  { walletId = ids.next(), makeKey = enclave.generate }: KeyOrigin = {},
): Promise<NewWallet | Failure<'invalid_request'>> {
  const { organizationId, curve } = wanted
  const chainType = chainTypeOf(curve, wanted.chainType)
  if (isFailure(chainType)) return chainType
  const polynomialVersion = 1
  const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', {
    organizationId,
    walletId,
    purpose: 'tee-b',
    shareIndex: shareIndexB,
    polynomialVersion,
  })
  try {
    const { publicKey, shareA, shareB, ringId } = await makeKey({
      organizationId,
      walletId,
      curve,
      polynomialVersion,
      dataKeyB: dataKey,
      wrappedKeyB: wrappedKey,
    })
    const addresses = walletAddresses(networks, curve, publicKey)
    return {
      id: walletId,
      organizationId,
      userIdentityId: wanted.identityId,
      curve,
      chainType,
      address: addresses[chainType] ?? '',
      addresses,
      publicKey,
      signingMode: 'tee',
      polynomialVersion,
      teeShares: {
        shareA,
        shareB,
        keyVersionA: parseEnvelope(shareA).wrappedKey.keyVersion,
        keyVersionB: wrappedKey.keyVersion,
        ringId,
      },
    }
  } finally {
    wipe(dataKey)
  }
}
