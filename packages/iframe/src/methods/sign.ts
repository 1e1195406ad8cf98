import {
  assembleAnswer,
  assembleUnsigned,
  type Chain,
  chainAddress,
  networks,
  preview,
  signingDigests,
} from '@symbolon/networks/browser'
import { chainOf, intentOf, type SignRequest, toHex0x } from '@symbolon/networks/request'
import type { Identity } from '../api/platform.ts'
import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { readSignRequest } from '../requests/read-sign-request.ts'
import { confirmView } from './confirm-view.ts'
import { signIntent } from './sign-intent.ts'
import { requireClientMode, type Vault } from './vault.ts'

/** `sign`: the SignResponse that the TEE lane would give for the same key, made here. */
export function sign(vault: Vault): Handlers['sign'] {
  return async ({ request: given }, signal) => {
    requireClientMode(vault)
    const request = readSignRequest(given)
    const user = vault.user()
    const chain = chainOf(request, 'secp256k1')
    const { curve } = chain
    const [identity, wallet] = await Promise.all([user.identity(), user.wallet(curve)])
    checkNetwork(identity, chain, request)
    const { publicKey } = wallet
    const intent = intentOf(request, chain, publicKey, vault.random)
    const address = chainAddress(chain, publicKey)
    const decoded = preview(intent, curve, publicKey, address)
    const answer = {
      wallet_id: wallet.id,
      public_key: toHex0x(publicKey),
      curve,
      chain: chain.handle,
      type: request.type,
      preview: request.preview ?? decoded,
      decoded_preview: decoded,
    }
    if (request.dry_run === true) {
      signingDigests(intent, curve, publicKey)
      const told = assembleUnsigned(intent, curve, publicKey)
      return { ...answer, ...told, address: request.type === 'transaction' ? address : decoded.from }
    }
    const view = confirmView(vault.pageOrigin, intent, decoded, chain)
    const signatures = await signIntent(vault, { user, wallet, intent, view, signal })
    return { ...assembleAnswer(intent, curve, publicKey, signatures, address), ...answer }
  }
}

/** The organization has to have the chain's network, in the words of the API. */
function checkNetwork({ supportedNetworks }: Identity, chain: Chain, request: SignRequest): void {
  if (supportedNetworks.includes(chain.network)) return
  const isCurveOff = !Object.values(networks).some(
    ({ name, curve }) => curve === chain.curve && supportedNetworks.includes(name),
  )
  if (request.chain === undefined && isCurveOff) {
    const message = `The organization has not enabled ${chain.curve}.`
    throw new FrameFailure('invalid_curve', { message })
  }
  const message = `The organization has not enabled ${chain.network}.`
  throw new FrameFailure('chain_unsupported', { message })
}
