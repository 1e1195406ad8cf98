import { getProviderShare } from '@symbolon/api'
import { on } from '../../http/handler.ts'
import type { Shares } from './shares.ts'

/** The route of the provider share. */
export const sharesRoutes = (shares: Shares) => [
  on(getProviderShare, ({ caller, query, fail }) => shares.release(caller, query.curve, fail)),
]
