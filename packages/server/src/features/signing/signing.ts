import type { Fail, SignRequest, SignResponse } from '@symbolon/api'
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
import { chainOf, intentOf } from '@symbolon/networks/request'
import type { Organization, UserToken } from '../../http/principal.ts'
import { type Enclave, EnclaveError } from '../../ports/enclave.ts'
import type { Random } from '../../ports/random.ts'
import type { Audit, AuditEvent, Guard } from '../audit/index.ts'
import type { ReadyWallet, SigningWallets } from '../wallets/index.ts'

/** The errors of a signature. */
export type SignErrors =
  | 'invalid_request'
  | 'invalid_payload'
  | 'invalid_curve'
  | 'chain_unsupported'
  | 'signing_mode_mismatch'
  | 'wallet_not_found'
  | 'wallet_archived'
  | 'unavailable'
  | 'unauthorized'

/** Who asks for a signature: as the audit log names them, and what must still hold when the signature leaves. */
export type Signer = {
  organization: Organization
  actor: { type: 'end_user' | 'api_key'; id: string }
  guard: { apiKeyId: string } | { token: UserToken }
}

/** Signatures of TEE wallets: decode, sign in the enclave, record, release. */
export function signing({
  walletIds,
  wallets,
  enclave,
  audit,
  random,
}: {
  walletIds: {
    of(
      organizationId: string,
      identityId: string,
      curve: 'secp256k1' | 'ed25519',
    ): Promise<string | undefined>
  }
  wallets: SigningWallets
  enclave: Enclave
  audit: Audit
  random: Random
}) {
  async function sign(
    signer: Signer,
    walletId: string,
    request: SignRequest,
    fail: Fail<SignErrors>,
  ): Promise<SignResponse> {
    const { organization } = signer
    const wallet = await wallets.load(walletId)
    if (wallet === undefined || wallet.organizationId !== organization.id) throw fail('wallet_not_found')

    const refuse = async (code: SignErrors, message?: string) => {
      await audit.write({
        ...eventOf(signer, wallet, request),
        type: 'wallet.sign_refused',
        success: false,
        errorCode: code,
      })
      return fail(code, message === undefined ? {} : { message })
    }
    if (wallet.status === 'archived') throw await refuse('wallet_archived')

    try {
      return await signDecoded(signer, wallet, request, fail)
    } catch (error) {
      if (error instanceof NetworkError) throw await refuse(error.code, error.message)
      if (!(error instanceof EnclaveError)) throw error
      if (error.code === 'invalid_payload') throw await refuse('invalid_payload')
      if (error.code === 'unavailable') throw fail('unavailable', { cause: error })
      // The shares are not this wallet's: a corrupted or swapped row. Nothing was signed.
      await audit.write({
        ...eventOf(signer, wallet, request),
        type: 'wallet.sign_refused',
        success: false,
        errorCode: 'internal',
      })
      throw error
    }
  }

  async function signDecoded(
    signer: Signer,
    wallet: ReadyWallet,
    request: SignRequest,
    fail: Fail<SignErrors>,
  ): Promise<SignResponse> {
    const { curve, publicKey } = wallet
    const chain = chainOf(networks, request, curve)
    checkNetwork(signer.organization, chain, request)
    const intent = intentOf(networks, request, chain, publicKey, random)
    const address = wallet.addresses[chain.addressName]
    const payload = parsePayload(networks, intent, curve, publicKey, { address })
    const decoded = preview(payload)
    const answer = {
      wallet_id: wallet.id,
      public_key: `0x${Buffer.from(publicKey).toString('hex')}`,
      curve,
      chain: chain.handle,
      type: request.type,
      preview: request.preview ?? decoded,
      decoded_preview: decoded,
    } as const
    if (request.dry_run === true) {
      // Whatever the signer would refuse is refused here too.
      signingDigests(payload)
      const isOwn = request.type === 'transaction' && address !== undefined
      const told = assembleUnsigned(payload)
      return { ...answer, ...told, address: isOwn ? address : decoded.from }
    }

    const signatures = await enclave.sign({
      ...wallet,
      walletId: wallet.id,
      intent: encodeIntent(networks, intent),
    })
    const event: AuditEvent = {
      ...eventOf(signer, wallet, request),
      type: 'wallet.signed',
      payload: { ...payloadOf(request), chain: chain.handle, network: chain.network },
      success: true,
    }
    const guard: Guard = { walletId: wallet.id, ...signer.guard }
    const broken = await audit.release(event, guard)
    if (broken !== undefined) {
      wallets.forget(wallet.id)
      throw fail(broken === 'not_found' ? 'wallet_not_found' : (broken as SignErrors))
    }
    return {
      ...assembleAnswer(payload, signatures),
      ...answer,
    } as SignResponse
  }

  return {
    /** Signs with a wallet of the organization that a backend names. */
    async signFor(
      { organization, key }: { organization: Organization; key: { id: string } },
      walletId: string,
      request: SignRequest,
      fail: Fail<SignErrors>,
    ): Promise<SignResponse> {
      if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
      return sign(
        { organization, actor: { type: 'api_key', id: key.id }, guard: { apiKeyId: key.id } },
        walletId,
        request,
        fail,
      )
    },

    /** Signs with the user's own wallet of the request's curve. */
    async signMine(
      {
        organization,
        identity,
        token,
      }: { organization: Organization; identity: { id: string }; token: UserToken },
      request: SignRequest,
      fail: Fail<SignErrors>,
    ): Promise<SignResponse> {
      if (organization.signingMode !== 'tee') throw fail('signing_mode_mismatch')
      const { curve } = myChain(organization, request, fail)
      const walletId = await walletIds.of(organization.id, identity.id, curve)
      if (walletId === undefined) throw fail('wallet_not_found')
      return sign(
        { organization, actor: { type: 'end_user', id: identity.id }, guard: { token } },
        walletId,
        request,
        fail,
      )
    },
  }
}

export type Signing = ReturnType<typeof signing>

function myChain(organization: Organization, request: SignRequest, fail: Fail<SignErrors>): Chain {
  try {
    const chain = chainOf(networks, request, request.curve ?? 'secp256k1')
    checkNetwork(organization, chain, request)
    return chain
  } catch (error) {
    if (error instanceof NetworkError) throw fail(error.code, { message: error.message })
    throw error
  }
}

/** The organization has to have the chain's network; who named no chain learns what is wrong with the curve. */
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

/** What the audit log says of a request wherever it ends. */
function payloadOf(request: SignRequest) {
  const isForSmartAccount = 'smart_account' in request && request.smart_account === true
  return { type: request.type, ...(isForSmartAccount && { smart_account: true }) }
}
