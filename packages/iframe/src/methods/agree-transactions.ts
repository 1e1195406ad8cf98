import { chainAddress, networks, parsePayload, preview, signingDigests } from '@symbolon/networks/browser'
import { chainOf, intentOf } from '@symbolon/networks/request'
import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { isSignature } from '../keys/sign-digests.ts'
import { confirmView } from './confirm-view.ts'
import { requireShare } from './require-share.ts'
import { together } from './together.ts'
import { requireClientMode, type Vault } from './vault.ts'

/**
 * `transactions.agree`: one dialog for several serialized transactions of the wallet. Each is signed by a `sign` that names the list,
 * in this order, byte for byte.
 */
export function agreeTransactions(vault: Vault): Handlers['transactions.agree'] {
  return async ({ chain: handle, transactions }, signal) => {
    requireClientMode(vault)
    const requests = transactions.map(
      (transaction) => ({ type: 'transaction', chain: handle, transaction }) as const,
    )
    const [first] = requests
    if (first === undefined) throw new FrameFailure('invalid_request')
    const chain = chainOf(networks, first, 'secp256k1')
    const wallet = await vault.user().wallet(chain.curve)
    const { publicKey } = wallet
    const address = chainAddress(networks, chain, publicKey)
    const views = requests.map((request) => {
      const intent = intentOf(networks, request, chain, publicKey, vault.random)
      const payload = parsePayload(networks, intent, chain.curve, publicKey, { address, isSignature })
      // Throws for what cannot be signed, before the person is asked.
      signingDigests(payload)
      return confirmView(vault.pageOrigin, intent, preview(payload), chain)
    })
    await requireShare(vault, wallet)
    const [one] = views
    if (one !== undefined && vault.organization.is_confirmation_shown) {
      const view = {
        ...one,
        subject: 'transactions',
        preview: together(views.map((each) => each.preview)),
        details: views.flatMap(({ details }, index) =>
          details.map(({ label, text }) => ({ label: `${index + 1}. ${label}`, text })),
        ),
      } as const
      if (!(await vault.dialogs.confirm(view, signal))) throw new FrameFailure('user_rejected')
    }
    return { batch: vault.agreed.keep({ chain: handle, calls: transactions, maxFee: 0n }) }
  }
}
