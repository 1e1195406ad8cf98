import type { SignRequest, SignResponse } from '@symbolon/api'
import {
  assembleAnswer,
  assembleUnsigned,
  type Chain,
  encodeIntent,
  NetworkError,
  networks,
  parsePayload,
  preview,
  signingDigests,
} from '@symbolon/networks'
import { intentOf } from '@symbolon/networks/request'
import type { Sql } from '../../db/pool.ts'
import type { Organization, UserPrincipal, UserToken } from '../../http/principal.ts'
import { type Enclave, EnclaveError, type EnclaveReceipt } from '../../ports/enclave.ts'
import type { Random } from '../../ports/random.ts'
import { requestedChain } from '../../ports/unsupported-chain.ts'
import { type Failure, failure, isFailure } from '../../runtime/failure.ts'
import type { FairTurns } from '../../runtime/fair-turns.ts'
import { needsMode } from '../../runtime/needs-mode.ts'
import { type Audit, type AuditEvent, withReceipt } from '../audit/index.ts'
import { tellEnclave } from '../custody/index.ts'
import {
  type HeldReceipts,
  type HeldReceiptsCtx,
  holdReceipts,
  receiptOf,
  storedReceipt,
  wantsReceipt,
} from '../receipts/index.ts'
import {
  type GuardFailure,
  guardFailure,
  type ReadyWallet,
  type SigningWallets,
  walletIdOf,
} from '../wallets/index.ts'
import { payloadLength } from './payload-length.ts'
import { type SignedFacts, signedFacts } from './signed-facts.ts'

/** What users and backends sign with. */
export type UserSigningCtx = {
  sql: Sql
  wallets: SigningWallets
  enclave: Enclave
  /** The log that releases signatures, and the receipts of what may not leave yet. */
  ledger: { audit: Audit; receipts: HeldReceiptsCtx }
  random: Random
  turns: FairTurns
}

/** Why nothing was signed. */
type SignFailure =
  | Failure<NetworkError['code'] | 'signing_mode_mismatch' | 'state_rolled_back' | 'unavailable'>
  | GuardFailure

/** The requester of a signature: the actor in the audit log, and the guard that must still hold when the signature leaves. */
type Signer = {
  organization: Organization
  actor: { type: 'end_user' | 'api_key'; id: string }
  guard: { apiKeyId: string } | { token: UserToken }
}

/** Signs with a TEE wallet of the organization that a backend names. */
export async function signForBackend(
  ctx: UserSigningCtx,
  { organization, key }: { organization: Organization; key: { id: string } },
  walletId: string,
  request: SignRequest,
): Promise<SignResponse | SignFailure> {
  if (organization.signingMode !== 'tee') return needsMode('tee')
  const signer: Signer = {
    organization,
    actor: { type: 'api_key', id: key.id },
    guard: { apiKeyId: key.id },
  }
  return sign(ctx, signer, walletId, request)
}

/** Signs with the user's own TEE wallet of the request's curve. */
export async function signForUser(
  ctx: UserSigningCtx,
  { organization, identity, token }: Pick<UserPrincipal, 'organization' | 'identity' | 'token'>,
  request: SignRequest,
): Promise<SignResponse | SignFailure> {
  if (organization.signingMode !== 'tee') return needsMode('tee')
  const chain = enabledChain(organization, request)
  if (isFailure(chain)) return chain
  const walletId = await walletIdOf(ctx.sql, organization.id, identity.id, chain.curve)
  if (walletId === undefined) return failure('wallet_not_found')
  const signer: Signer = {
    organization,
    actor: { type: 'end_user', id: identity.id },
    guard: { token },
  }
  return sign(ctx, signer, walletId, request)
}

/** The one way of users and backends to a signature: load, check, decode, sign, record and release, answer. */
async function sign(
  ctx: UserSigningCtx,
  signer: Signer,
  walletId: string,
  request: SignRequest,
): Promise<SignResponse | SignFailure> {
  const wallet = await ctx.wallets.load(walletId)
  if (wallet === undefined || wallet.organizationId !== signer.organization.id)
    return failure('wallet_not_found')
  if (wallet.status === 'archived') return refuse(ctx, signer, wallet, request, failure('wallet_archived'))
  try {
    const { organization } = signer
    const work = () => decode(ctx, organization, wallet, request)
    const decoded = await ctx.turns.run(organization.id, work, payloadLength(request))
    if (request.dry_run === true) return answerDryRun(wallet, request, decoded)
    return await holdReceipts(ctx.ledger.receipts, organization.id, (held) =>
      signDecoded(ctx, signer, wallet, request, { decoded, held }),
    )
  } catch (error) {
    return refuseError(ctx, signer, wallet, request, error)
  }
}

/** Signs what was decoded; the signature leaves once it is recorded, with its receipt where there is one. */
async function signDecoded(
  ctx: UserSigningCtx,
  signer: Signer,
  wallet: ReadyWallet,
  request: SignRequest,
  { decoded, held }: { decoded: Decoded; held: HeldReceipts },
): Promise<SignResponse | GuardFailure> {
  const isReceipted = wantsReceipt(signer.organization, request)
  const signed = await signInEnclave(ctx, {
    ...wallet,
    walletId: wallet.id,
    intent: encodeIntent(networks, decoded.intent),
    ...(isReceipted && { receipt: true }),
  })
  const receipt = receiptOf(signed, isReceipted)
  if (receipt !== undefined) await held.add(receipt)
  const answer = assembleAnswer(decoded.payload, signed.signatures)
  const facts = signedFacts(decoded.payload, decoded.decodedPreview, answer)
  const refused = await release(ctx, signer, wallet, request, { facts, receipt })
  if (refused !== undefined) return refused
  if (receipt !== undefined) held.release(receipt)
  return {
    ...answer,
    ...commonAnswer(wallet, request, decoded),
    ...(receipt && { receipt: receipt.jws }),
  } as SignResponse
}

/** Has the enclave sign. Where it knows the wallet as archived, it may not have been told yet that it is active again. */
async function signInEnclave(ctx: UserSigningCtx, input: Parameters<Enclave['sign']>[0]) {
  try {
    return await ctx.enclave.sign(input)
  } catch (error) {
    if (!(error instanceof EnclaveError) || error.code !== 'state_rolled_back') throw error
    // Another process may have told it just now.
    await tellEnclave(ctx).catch(() => {
      throw error
    })
    return ctx.enclave.sign(input)
  }
}

type Decoded = ReturnType<typeof decode>

/** Parses the request's payload once; throws `NetworkError` for what cannot be signed. */
function decode(
  { random }: UserSigningCtx,
  organization: Organization,
  { curve, publicKey, addresses }: ReadyWallet,
  request: SignRequest,
) {
  const chain = requestedChain(request, curve)
  checkNetwork(organization, chain, request)
  const intent = intentOf(networks, request, chain, publicKey, random)
  const address = addresses[chain.addressName]
  const payload = parsePayload(networks, intent, curve, publicKey, { address })
  return { chain, intent, address, payload, decodedPreview: preview(payload) }
}

/** Records the signature durably, and allows it to leave if wallet and credential still stand. */
async function release(
  { ledger: { audit }, wallets }: UserSigningCtx,
  signer: Signer,
  wallet: ReadyWallet,
  request: SignRequest,
  { facts, receipt }: { facts: SignedFacts; receipt: EnclaveReceipt | undefined },
): Promise<GuardFailure | undefined> {
  const event: AuditEvent = {
    ...eventOf(signer, wallet, request),
    type: 'wallet.signed',
    payload: { ...payloadOf(request), ...facts },
    success: true,
  }
  const recorded = withReceipt(event, storedReceipt(receipt, wallet.id))
  const broken = await audit.release(recorded, { walletId: wallet.id, ...signer.guard })
  if (broken === undefined) return undefined
  wallets.forget(wallet.id)
  return guardFailure(broken)
}

/** What would be signed. Whatever the signer would refuse is refused here too. */
function answerDryRun(wallet: ReadyWallet, request: SignRequest, decoded: Decoded): SignResponse {
  const { payload, address, decodedPreview } = decoded
  signingDigests(payload)
  const isOwn = request.type === 'transaction' && address !== undefined
  return {
    ...commonAnswer(wallet, request, decoded),
    ...assembleUnsigned(payload),
    address: isOwn ? address : decodedPreview.from,
  } as SignResponse
}

const commonAnswer = (wallet: ReadyWallet, request: SignRequest, { chain, decodedPreview }: Decoded) => ({
  wallet_id: wallet.id,
  public_key: `0x${Buffer.from(wallet.publicKey).toString('hex')}`,
  curve: wallet.curve,
  chain: chain.handle,
  type: request.type,
  preview: request.preview ?? decodedPreview,
  decoded_preview: decodedPreview,
})

/** The failure of an error between decoding and answering, recorded unless the enclave was out of reach. */
async function refuseError(
  ctx: UserSigningCtx,
  signer: Signer,
  wallet: ReadyWallet,
  request: SignRequest,
  error: unknown,
): Promise<SignFailure> {
  if (error instanceof NetworkError)
    return refuse(ctx, signer, wallet, request, failure(error.code, { message: error.message }))
  if (!(error instanceof EnclaveError)) throw error
  if (error.code === 'invalid_payload')
    return refuse(ctx, signer, wallet, request, failure('invalid_payload'))
  if (error.code === 'unavailable') return failure('unavailable', { cause: error })
  if (error.code === 'state_rolled_back') {
    const isArchived = await ctx.wallets.isArchived(wallet.id)
    if (isArchived) ctx.wallets.forget(wallet.id)
    const details = { what: error.rolledBack }
    const refusal = isArchived
      ? failure('wallet_archived')
      : failure('state_rolled_back', { details, cause: error })
    return refuse(ctx, signer, wallet, request, refusal)
  }
  // The shares are not this wallet's: a corrupted or swapped row. Nothing was signed.
  await refuse(ctx, signer, wallet, request, failure('internal'))
  throw error
}

/** Records the refusal and returns it. */
async function refuse<refused extends Failure>(
  { ledger: { audit } }: UserSigningCtx,
  signer: Signer,
  wallet: ReadyWallet,
  request: SignRequest,
  refusal: refused,
): Promise<refused> {
  await audit.write({
    ...eventOf(signer, wallet, request),
    type: 'wallet.sign_refused',
    success: false,
    errorCode: refusal.code,
  })
  return refusal
}

/** The chain of a user's request, before the wallet is known; secp256k1 by default. */
function enabledChain(
  organization: Organization,
  request: SignRequest,
): Chain | Failure<NetworkError['code']> {
  try {
    const chain = requestedChain(request, request.curve ?? 'secp256k1')
    checkNetwork(organization, chain, request)
    return chain
  } catch (error) {
    if (error instanceof NetworkError) return failure(error.code, { message: error.message })
    throw error
  }
}

/** The organization must have enabled the chain's network. Without a named chain, the error is about the curve. */
function checkNetwork(organization: Organization, chain: Chain, request: SignRequest): void {
  const supportedNetworks: readonly string[] = organization.supportedNetworks
  if (
    request.chain === undefined &&
    !supportedNetworks.some((name) => networks.byName(name)?.curve === chain.curve)
  ) {
    throw new NetworkError('invalid_curve', `The organization has not enabled ${chain.curve}.`)
  }
  if (!supportedNetworks.includes(chain.network)) {
    throw new NetworkError('chain_unsupported', `The organization has not enabled ${chain.network}.`)
  }
}

function eventOf({ organization, actor }: Signer, wallet: ReadyWallet, request: SignRequest) {
  return {
    organizationId: organization.id,
    userIdentityId: wallet.userIdentityId,
    walletId: wallet.id,
    actorType: actor.type,
    actorId: actor.id,
    payload: { ...payloadOf(request), ...(request.chain !== undefined && { chain: request.chain }) },
  } as const
}

/** The part of an event's payload that holds wherever the request ends. */
function payloadOf(request: SignRequest) {
  const isForSmartAccount = 'smart_account' in request && request.smart_account === true
  return { type: request.type, ...(isForSmartAccount && { smart_account: true }) }
}
