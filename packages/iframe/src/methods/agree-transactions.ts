import {
  chainAddress,
  networks,
  parsePayload,
  preview,
  type SignPreview,
  signingDigests,
} from '@symbolon/networks/browser'
import { chainOf, intentOf } from '@symbolon/networks/request'
import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { isSignature } from '../keys/sign-digests.ts'
import { confirmView } from './confirm-view.ts'
import { requireShare } from './require-share.ts'
import { requireClientMode, type Vault } from './vault.ts'

/** The most actions in one dialog: nobody reads more. */
const actionsMax = 256

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

/** What all of them do together, in order, and what they cost. */
function together(previews: readonly SignPreview[]): SignPreview {
  const [first] = previews
  const actions = previews.flatMap((each) => each.actions)
  if (first === undefined || actions.length > actionsMax) {
    const message = 'These transactions do too much to be shown together. Sign them one by one.'
    throw new FrameFailure('invalid_payload', { message })
  }
  const fees = previews.map(({ fee }) => BigInt(fee?.amount ?? '0'))
  return {
    ...first,
    title: `${previews.length} transactions`,
    actions,
    warnings: [...new Set(previews.flatMap(({ warnings }) => warnings))],
    fee: first.fee && { ...first.fee, amount: fees.reduce((sum, fee) => sum + fee, 0n).toString() },
    expires_at: null,
  }
}
