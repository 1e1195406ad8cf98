import { type ErrorOf, type SignRequest, type SignResponse, sign, signMine } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { AgentSessionPrincipal, Organization } from '../../http/principal.ts'
import type { Failure } from '../../runtime/failure.ts'
import { signForBackend, signForUser, type UserSigningCtx } from './signing.ts'

/** How an agent's request to sign is answered. A body that does not parse is reported too, for its event. */
export type SignAsAgent = {
  sign(
    actor: { organization: Organization; session: AgentSessionPrincipal },
    request: SignRequest,
    walletId: string,
  ): Promise<SignResponse | Failure<ErrorOf<typeof sign>>>
  malformed(
    actor: { organization: Organization; session: AgentSessionPrincipal },
    body: unknown,
  ): Promise<void>
}

/** The routes that sign, for users and for backends. An agent that calls the backend's route is authorized as on its own. */
export const signingRoutes = (ctx: UserSigningCtx, asAgent: SignAsAgent) => [
  on(signMine, ({ principal, body }) => signForUser(ctx, principal, body)),

  on(
    sign,
    ({ principal, body }) => {
      const { wallet_id: walletId, ...request } = body
      if (principal.session !== undefined) return asAgent.sign(principal, request, walletId)
      return signForBackend(ctx, principal, walletId, request)
    },
    {
      onMalformed: async (principal, body) => {
        if (principal.session !== undefined) await asAgent.malformed(principal, body)
      },
    },
  ),
]
