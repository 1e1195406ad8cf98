import type { AgentPolicy, EffectivePolicy } from '@symbolon/api'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import { type Failure, failure } from '../../../runtime/failure.ts'
import type { SigningWallets } from '../../wallets/index.ts'
import type { Surroundings } from './session-layers.store.ts'

/** The enclave that seals grants, and the wallets they are for. */
export type GrantSigner = { enclave: Enclave; wallets: SigningWallets }

/** A grant to make. */
export type GrantInput = {
  organizationId: string
  walletId: string
  sessionId: string
  policyVersion: number
  tokenKey: Uint8Array
  policy: AgentPolicy
  surroundings: Surroundings
}

/** A sealed grant: `effective` and `clipped` as the enclave intersected the layers, `sealedUnder` the layers around the session's. */
export type MadeGrant = {
  grant: Uint8Array
  effective: EffectivePolicy
  clipped: string[]
  sealedUnder: { organization: Surroundings['rules']; agent: AgentPolicy | null }
}

/** Has the enclave seal a grant for a TEE wallet of the organization. Before you store it, check under the lock that its surroundings are unchanged. */
export async function makeGrant(
  { enclave, wallets }: GrantSigner,
  { organizationId, surroundings, policy, ...input }: GrantInput,
): Promise<MadeGrant | Failure<'invalid_request' | 'unavailable'>> {
  const wallet = await wallets.load(input.walletId)
  if (wallet?.organizationId !== organizationId) throw new Error('The wallet of a session is missing.')
  const sealedUnder = { organization: surroundings.rules, agent: surroundings.agent?.policy ?? null }
  try {
    const { grant, effective, clipped } = await enclave.grant({
      ...wallet,
      ...input,
      layers: JSON.stringify({ ...sealedUnder, session: policy }),
    })
    return { grant, effective: JSON.parse(effective) as EffectivePolicy, clipped, sealedUnder }
  } catch (error) {
    if (!(error instanceof EnclaveError)) throw error
    if (error.code === 'unavailable') return failure('unavailable', { cause: error })
    if (error.code === 'invalid_payload') return failure('invalid_request', { cause: error })
    throw error
  }
}
