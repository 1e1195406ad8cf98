import { sign, signMine } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Signing } from './signing.ts'

/** The routes that sign, for users and for backends. */
export const signingRoutes = (signing: Signing) => [
  on(signMine, ({ caller, body, fail }) => signing.signMine(caller, body, fail)),

  on(sign, ({ caller, body, fail }) => {
    const { wallet_id, ...request } = body
    return signing.signFor(caller, wallet_id, request, fail)
  }),
]
