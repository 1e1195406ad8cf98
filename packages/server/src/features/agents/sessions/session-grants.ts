import type { AgentPolicy, EffectivePolicy, Fail } from '@symbolon/api'
import { type Enclave, EnclaveError } from '../../../ports/enclave.ts'
import type { SigningWallets } from '../../wallets/index.ts'
import type { Surroundings } from './session-layers.store.ts'

/** What a session's grant is made from. */
export type GrantInput = {
  organizationId: string
  walletId: string
  sessionId: string
  policyVersion: number
  tokenKey: Uint8Array
  policy: AgentPolicy
  surroundings: Surroundings
}

/** A sealed grant; `effective` and `clipped` as the enclave made them of the layers, `sealedUnder` the layers around the session's. */
export type MadeGrant = {
  grant: Uint8Array
  effective: EffectivePolicy
  clipped: string[]
  sealedUnder: { organization: Surroundings['rules']; agent: AgentPolicy | null }
}

/** Has the enclave seal grants. */
export function sessionGrants({ enclave, wallets }: { enclave: Enclave; wallets: SigningWallets }) {
  return {
    /** Makes a grant for a TEE wallet of the organization; whoever stores it checks under the lock that its surroundings are still so. */
    async make(
      { organizationId, surroundings, policy, ...input }: GrantInput,
      fail: Fail<'invalid_request' | 'unavailable'>,
    ): Promise<MadeGrant> {
      const wallet = await wallets.load(input.walletId)
      if (wallet?.organizationId !== organizationId) throw new Error('The wallet of a session is gone.')
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
        if (error.code === 'unavailable') throw fail('unavailable', { cause: error })
        if (error.code === 'invalid_payload') throw fail('invalid_request', { cause: error })
        throw error
      }
    },
  }
}

/** Where grants come from. */
export type SessionGrants = ReturnType<typeof sessionGrants>
