import type { Fail, NetworkName } from '@symbolon/api'
import { wipe } from '@symbolon/crypto'
import { parseEnvelope } from '@symbolon/crypto/node'
import { type Curve, networks, walletAddresses } from '@symbolon/networks'
import type { Organization } from '../../../http/principal.ts'
import type { Ids } from '../../../ports/clock.ts'
import type { Enclave } from '../../../ports/enclave.ts'
import type { Kms } from '../../../ports/kms.ts'
import { chainTypeOf } from './chain-type.ts'
import type { NewWallet } from './wallets.store.ts'

/** Where the two shares of a TEE wallet sit on the polynomial; the enclave's SPEC.md says the same. */
export const shareIndexB = 2

/** Where the key comes from, if it is not a new one, and the id that the wallet then has. */
export type KeyOrigin = { walletId?: string; makeKey?: Enclave['generate'] }

export type MakeTeeWallet = ReturnType<typeof teeWalletMaker>

/**
 * Makes the key of a TEE wallet inside the enclave, or has it take one in. The second share is sealed under a data key of our KMS, so that
 * the database with either key-encryption key alone opens nothing; this process never sees a share in plain.
 */
export function teeWalletMaker({ enclave, kms, ids }: { enclave: Enclave; kms: Kms; ids: Ids }) {
  return async (
    wanted: {
      organization: Organization
      identityId: string
      curve: Curve
      chainType: NetworkName | undefined
    },
    fail: Fail<'invalid_request'>,
    { walletId = ids.next(), makeKey = enclave.generate }: KeyOrigin = {},
  ): Promise<NewWallet> => {
    const { organization, curve } = wanted
    const chainType = chainTypeOf(curve, wanted.chainType, fail)
    const polynomialVersion = 1
    const { dataKey, wrappedKey } = await kms.generateDataKey('tee-b', {
      organizationId: organization.id,
      walletId,
      purpose: 'tee-b',
      shareIndex: shareIndexB,
      polynomialVersion,
    })
    try {
      const { publicKey, shareA, shareB } = await makeKey({
        organizationId: organization.id,
        walletId,
        curve,
        polynomialVersion,
        dataKeyB: dataKey,
        wrappedKeyB: wrappedKey,
      })
      const addresses = walletAddresses(networks, curve, publicKey)
      return {
        id: walletId,
        organizationId: organization.id,
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
        },
      }
    } finally {
      wipe(dataKey)
    }
  }
}
