import type { SignRequest } from '@symbolon/api'
import { type Chain, NetworkError, networks, type SignPreview } from '@symbolon/networks'
import { impliedChain, intentOf } from '@symbolon/networks/request'
import type { Refusal } from '@symbolon/policy'
import { requestedChain } from '../../../ports/unsupported-chain.ts'
import { wantsReceipt } from '../../receipts/index.ts'
import { payloadLength } from '../../signing/index.ts'
import { walletArchived, walletMismatch } from '../../spending/index.ts'
import type { ReadyWallet } from '../../wallets/index.ts'
import type { RequestEnd } from './request-end.ts'
import type { SigningCtx } from './signing-ctx.ts'
import {
  type AgentActor,
  knownChain,
  type SigningPayload,
  type SigningRequest,
  signingPayload,
} from './signing-request.ts'
import { storedOperation } from './stored-operations.store.ts'

/** A request to sign, the wallet it names, if any, and the run that asks. */
export type SignParams = {
  actor: AgentActor
  body: SignRequest
  walletId?: string
  runId?: string | undefined
}

/** A payload as an answer describes it, signed or not. */
export type View = { decoded: SignPreview; address: string | undefined }

/** A request whose wallet and payload are known. Of a dry run, `refusal` is what ends it before its policy is asked. */
export type ReadySignature = {
  kind: 'signature'
  request: SigningRequest
  wallet: ReadyWallet
  payload: SigningPayload
  view: { value: View } | { error: unknown }
  refusal: Refusal | undefined
  isReceipted: boolean
}

/** A request that ends before there is anything to evaluate. */
export type Stopped<end> = { kind: 'stopped'; request: SigningRequest; end: end }

/** Reads a request: its session, its wallet, its chain, and its payload with what it shows. */
export async function readySignature(
  ctx: SigningCtx,
  params: SignParams,
): Promise<ReadySignature | Stopped<RequestEnd<'invalid_curve'>>> {
  const { actor, body, runId = null } = params
  const isDry = body.dry_run === true
  const asked: SigningRequest = { actor, runId, type: body.type, chain: knownChain(body.chain) }
  const stop = (request: SigningRequest, end: RequestEnd<'invalid_curve'>) =>
    ({ kind: 'stopped', request, end }) as const

  const { state } = actor.session
  if (state !== 'active') return stop(asked, { kind: 'session_over', state })
  const found = await walletOf(ctx, params).catch((error: unknown) => ({ error }))
  if ('error' in found) return stop(asked, { kind: 'thrown', error: found.error })
  const { wallet, refusal } = found
  const own = { ...asked, wallet }
  if (refusal !== undefined && !isDry) return stop(own, { kind: 'refused', refusal })

  const payload = await payloadOf(ctx, params, wallet).catch((error: unknown) => ({ error }))
  if ('error' in payload) return stop(own, payloadEnd(payload.error))
  const request = { ...own, chain: payload.chain.handle, isChainAssumed: body.chain === undefined }
  const view = await ctx.signer.turns.run(actor.organization.id, () => viewOf(payload), payloadLength(body))
  const isReceipted = wantsReceipt(actor.organization, body)
  return { kind: 'signature', request, wallet, payload, view, refusal, isReceipted }
}

/** The session's wallet, or why it is not to sign. */
async function walletOf(
  { signer: { wallets } }: SigningCtx,
  { actor: { session }, walletId, body }: SignParams,
): Promise<{ wallet: ReadyWallet; refusal: Refusal | undefined }> {
  const wallet = await wallets.load(session.walletId)
  if (wallet === undefined) throw new Error('A session has no wallet.')
  const isOther = walletId !== undefined && walletId !== wallet.id
  if (isOther) return { wallet, refusal: walletMismatch(wallet.id, walletId) }
  // No commit looks at the wallet of a dry run again.
  const isArchived =
    wallet.status === 'archived' || (body.dry_run === true && (await wallets.isArchived(wallet.id)))
  return { wallet, refusal: isArchived ? walletArchived : undefined }
}

async function payloadOf(
  { sql, random, signer: { turns } }: SigningCtx,
  { actor, body }: SignParams,
  wallet: ReadyWallet,
): Promise<SigningPayload> {
  const asked = requestedChain(body, wallet.curve)
  checkNetwork(actor.organization.supportedNetworks, asked, body)
  // Typed data and operations without a `chain` name their chain themselves; a policy may not have the default one.
  const isLeftOut = body.chain === undefined && asked.network === 'evm'
  const implied = (isLeftOut && impliedChain(body)) || asked
  const read = () => intentOf(networks, body, implied, wallet.publicKey, random)
  const intent = await turns.run(actor.organization.id, read, payloadLength(body))
  const stored = await storedOperation(sql, wallet.id, intent)
  const chain = (isLeftOut && stored && networks.chain(stored.chain)) || implied
  const operation = stored === undefined ? undefined : JSON.stringify(stored)
  return signingPayload(wallet, chain, { ...intent, chain: chain.handle }, operation)
}

/** The organization must have enabled the chain's network; without a chain in the request, the error names the curve. */
function checkNetwork(supported: readonly string[], chain: Chain, body: SignRequest): void {
  if (supported.includes(chain.network)) return
  if (body.chain === undefined && !supported.some((name) => networks.byName(name)?.curve === chain.curve)) {
    throw new NetworkError('invalid_curve', `The organization has not enabled ${chain.curve}.`)
  }
  throw new NetworkError('chain_unsupported', `The organization has not enabled ${chain.network}.`)
}

const payloadEnd = (error: unknown): RequestEnd<'invalid_curve'> =>
  error instanceof NetworkError && error.code === 'invalid_curve'
    ? { kind: 'failed', code: error.code, message: error.message }
    : { kind: 'thrown', error }

function viewOf({ wallet, chain, preview }: SigningPayload): ReadySignature['view'] {
  try {
    return { value: { decoded: preview(), address: wallet.addresses[chain.addressName] } }
  } catch (error) {
    return { error }
  }
}
