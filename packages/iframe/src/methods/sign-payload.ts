import { type NonEmpty, type Payload, type RawSignature, signingDigests } from '@symbolon/networks/browser'
import type { Wallet } from '../api/wallet.ts'
import type { ConfirmView } from '../dialogs/dialogs.ts'
import { FrameFailure } from '../frame-failure.ts'
import { signDigests } from '../keys/sign-digests.ts'
import { requireShare } from './require-share.ts'
import type { UserSession } from './user-session.ts'
import type { Vault } from './vault.ts'
import { sharesReadyMark, withKey } from './with-key.ts'

/** The enclave's own maximum for one intent. */
const signaturesMax = 256

/** The measure of what lies between the arrival of the second share and the verified signature. */
export const shareToSignature = 'symbolon:share-to-signature'

/** A payload of a user's wallet, and how it is shown. */
export type PayloadToSign = {
  readonly user: UserSession
  readonly wallet: Wallet
  readonly payload: Payload
  readonly view: ConfirmView
  readonly signal: AbortSignal
  /** The person has agreed to it already, as one of several. */
  readonly isAgreed?: boolean
}

/**
 * Signs a payload: digests first (to refuse unsupported payloads before asking), then the person's consent
 * where the organization wants it (`user_rejected`), and only then is the service's share asked for.
 */
export async function signPayload(
  vault: Vault,
  { user, wallet, payload, view, signal, isAgreed = false }: PayloadToSign,
): Promise<NonEmpty<RawSignature>> {
  const { curve, publicKey } = wallet
  const digests = signingDigests(payload)
  if (digests.length > signaturesMax)
    throw new FrameFailure('invalid_payload', { message: 'The transaction needs too many signatures.' })
  if (vault.organization.is_confirmation_shown && !isAgreed) {
    await requireShare(vault, wallet)
    await confirm(vault, view, signal)
  }
  signal.throwIfAborted()
  const signatures = await withKey(vault, { user, wallet, purpose: 'sign', signal }, (key) => {
    const signatures = signDigests(digests, curve, key, publicKey)
    performance.measure(shareToSignature, sharesReadyMark)
    return signatures
  })
  if (!vault.organization.is_confirmation_shown) vault.say(unasked(vault, view))
  return signatures
}

/** What the person reads when nobody asked them. */
const unasked = ({ organization, pageOrigin }: Vault, { preview }: ConfirmView) => ({
  title: 'Signed without asking you',
  text: `${preview.title}. ${organization.name} has turned confirmations off: ${pageOrigin} can sign with your wallet at any time.`,
})

async function confirm(vault: Vault, view: ConfirmView, signal: AbortSignal): Promise<void> {
  const isAgreed = await vault.dialogs.confirm(view, signal)
  if (!isAgreed) throw new FrameFailure('user_rejected')
}
