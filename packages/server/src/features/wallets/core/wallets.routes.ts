import {
  ApiError,
  archiveWallet,
  createWallet,
  createWalletFor,
  createWallets,
  getMyWallet,
  getWallet,
  listMyWallets,
  listWallets,
  unarchiveWallet,
} from '@symbolon/api'
import { on } from '../../../http/handler.ts'
import { walletListQuery } from './wallet-list-query.ts'
import type { Wallets } from './wallets.ts'

// A batch shares the enclave with everyone else's signatures.
const batchInFlightMax = 8

/** The routes of wallets, for users and for backends. */
export const walletsRoutes = (wallets: Wallets) => [
  on(createWallet, ({ principal, body, fail }) => wallets.createMine(principal, body, fail)),

  on(getMyWallet, ({ principal, query, fail }) => wallets.newestOf(principal, query.curve, fail)),

  on(listMyWallets, ({ principal }) => wallets.allOf(principal)),

  on(listWallets, ({ principal, query }) => wallets.list(walletListQuery(principal.organization.id, query))),

  on(getWallet, ({ principal, params, fail }) =>
    wallets.read(principal.organization.id, params.walletID, fail),
  ),

  on(createWalletFor, ({ principal, body, fail }) => wallets.createFor(principal, body, fail)),

  on(createWallets, async ({ principal, body, fail }) => {
    if (principal.organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
    const create = async (item: (typeof body.items)[number]) => {
      try {
        const data = await wallets.createFor(principal, item, (code, options) => new ApiError(code, options))
        return { status: 201, data, error: null }
      } catch (error) {
        // What is wrong with the service is wrong with the whole batch.
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        const { status, code, message, details } = error
        const data =
          code === 'wallet_exists' ? (error.data as Awaited<ReturnType<Wallets['createFor']>>) : null
        return { status, data, error: { code, message, ...(details !== undefined && { details }) } }
      }
    }
    const items: Awaited<ReturnType<typeof create>>[] = []
    for (let i = 0; i < body.items.length; i += batchInFlightMax) {
      items.push(...(await Promise.all(body.items.slice(i, i + batchInFlightMax).map(create))))
    }
    return { items }
  }),

  on(archiveWallet, ({ principal, params, fail }) =>
    wallets.setStatus(principal.organization.id, actorOf(principal), params.walletID, 'archived', fail),
  ),

  on(unarchiveWallet, ({ principal, params, fail }) =>
    wallets.setStatus(principal.organization.id, actorOf(principal), params.walletID, 'active', fail),
  ),
]

const actorOf = ({ key }: { key: { id: string } }) => ({ type: 'api_key' as const, id: key.id })
