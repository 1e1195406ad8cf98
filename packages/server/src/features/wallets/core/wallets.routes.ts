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
  on(createWallet, ({ caller, body, fail }) => wallets.createMine(caller, body, fail)),

  on(getMyWallet, ({ caller, query, fail }) => wallets.newestOf(caller, query.curve, fail)),

  on(listMyWallets, ({ caller }) => wallets.allOf(caller)),

  on(listWallets, ({ caller, query }) => wallets.list(walletListQuery(caller.organization.id, query))),

  on(getWallet, ({ caller, params, fail }) => wallets.read(caller.organization.id, params.walletID, fail)),

  on(createWalletFor, ({ caller, body, fail }) => wallets.createFor(caller, body, fail)),

  on(createWallets, async ({ caller, body, fail }) => {
    if (caller.organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
    const create = async (item: (typeof body.items)[number]) => {
      try {
        const data = await wallets.createFor(caller, item, (code, options) => new ApiError(code, options))
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

  on(archiveWallet, ({ caller, params, fail }) =>
    wallets.setStatus(caller.organization.id, actorOf(caller), params.walletID, 'archived', fail),
  ),

  on(unarchiveWallet, ({ caller, params, fail }) =>
    wallets.setStatus(caller.organization.id, actorOf(caller), params.walletID, 'active', fail),
  ),
]

const actorOf = ({ key }: { key: { id: string } }) => ({ type: 'api_key' as const, id: key.id })
