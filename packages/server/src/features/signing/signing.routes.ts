import { type ErrorOf, type Fail, type SignRequest, type SignResponse, sign, signMine } from '@symbolon/api'
import type { AgentSessionCaller, Organization } from '../../http/caller.ts'
import { on } from '../../http/handler.ts'
import type { Signing } from './signing.ts'

/** How an agent's request to sign is answered; a body that does not parse is told too, for its event. */
export type SignAsAgent = {
  sign(
    actor: { organization: Organization; session: AgentSessionCaller },
    request: SignRequest,
    options: { walletId?: string },
    fail: Fail<Exclude<ErrorOf<typeof sign>, 'signing_mode_mismatch' | 'wallet_archived'>>,
  ): Promise<SignResponse>
  malformed(actor: { organization: Organization; session: AgentSessionCaller }, body: unknown): Promise<void>
}

/** The routes that sign, for users and for backends; an agent that calls the backend's one is judged as on its own. */
export const signingRoutes = (signing: Signing, asAgent: SignAsAgent) => [
  on(signMine, ({ caller, body, fail }) => signing.signMine(caller, body, fail)),

  on(
    sign,
    ({ caller, body, fail }) => {
      const { wallet_id: walletId, ...request } = body
      if (caller.session !== undefined) return asAgent.sign(caller, request, { walletId }, fail)
      return signing.signFor(caller, walletId, request, fail)
    },
    {
      onMalformed: async (caller, body) => {
        if (caller.session !== undefined) await asAgent.malformed(caller, body)
      },
    },
  ),
]
