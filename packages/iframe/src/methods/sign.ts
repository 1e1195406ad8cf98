import {
  assembleAnswer,
  assembleUnsigned,
  type Chain,
  chainAddress,
  networks,
  parsePayload,
  preview,
  signingDigests,
} from '@symbolon/networks/browser'
import { chainOf, intentOf, type SignRequest, toHex0x } from '@symbolon/networks/request'
import type { Identity } from '../api/user-api.ts'
import type { Handlers } from '../connect/talk.ts'
import { FrameFailure } from '../frame-failure.ts'
import { isSignature } from '../keys/sign-digests.ts'
import { readSignRequest } from '../requests/read-sign-request.ts'
import { confirmView } from './confirm-view.ts'
import { signPayload } from './sign-payload.ts'
import { requireClientMode, type Vault } from './vault.ts'

/** `sign`: the SignResponse that the TEE lane would give for the same key, made here. */
export function sign(vault: Vault): Handlers['sign'] {
  return async ({ request: given, batch }, signal) => {
    requireClientMode(vault)
    const request = readSignRequest(given)
    const user = vault.user()
    const chain = chainOf(networks, request, 'secp256k1')
    const { curve } = chain
    const [identity, wallet] = await Promise.all([user.identity(), user.wallet(curve)])
    checkNetwork(identity, chain, request)
    const { publicKey } = wallet
    const intent = intentOf(networks, request, chain, publicKey, vault.random)
    const address = chainAddress(networks, chain, publicKey)
    const payload = parsePayload(networks, intent, curve, publicKey, { address, isSignature })
    const decoded = preview(payload)
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
      signingDigests(payload)
      const assembled = assembleUnsigned(payload)
      return { ...answer, ...assembled, address: request.type === 'transaction' ? address : decoded.from }
    }
    const view = confirmView(vault.pageOrigin, intent, decoded, chain)
    const isAgreed = batch !== undefined && vault.agreed.take(batch, request)
    const signatures = await signPayload(vault, { user, wallet, payload, view, signal, isAgreed })
    return { ...assembleAnswer(payload, signatures), ...answer }
  }
}

/** Requires that the organization has enabled the chain's network, in the API's words. */
function checkNetwork({ supportedNetworks }: Identity, chain: Chain, request: SignRequest): void {
  if (supportedNetworks.includes(chain.network)) return
  const isCurveOff = !networks.list.some(
    ({ name, curve }) => curve === chain.curve && supportedNetworks.includes(name),
  )
  if (request.chain === undefined && isCurveOff) {
    const message = `The organization has not enabled ${chain.curve}.`
    throw new FrameFailure('invalid_curve', { message })
  }
  const message = `The organization has not enabled ${chain.network}.`
  throw new FrameFailure('chain_unsupported', { message })
}
