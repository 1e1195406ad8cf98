import type { Curve, JsonObject } from '../protocol/messages.ts'
import { answerFields, base64Bytes, text } from './answer-fields.ts'
import type { ApiCall, ApiClient } from './api-client.ts'
import { readWallet, type Wallet } from './wallet.ts'

/** The purpose of a request for the provider share, recorded in the audit log. */
export type SharePurpose = 'sign' | 'export' | 'refresh'

/** The logged-in user. */
export type Identity = {
  readonly organizationId: string
  readonly userIdentityId: string
  readonly supportedNetworks: readonly string[]
}

/** A share as the service holds it, 33 bytes: y, then x. */
export type ProviderShare = { readonly walletId: string; readonly share: Uint8Array }

/** The result of redeeming a recovery code. */
export type RecoveredShares = {
  readonly walletId: string
  readonly providerShare: Uint8Array
  readonly recoveryShare: Uint8Array
}

// The API's own time limit, plus a margin.
const webhookLimitMs = 25_000
const reshareLimitMs = 50_000
const submitLimitMs = 60_000

/** A key that the enclave has sealed to the frame's own key pair (HPKE). */
export type SealedKey = {
  readonly walletId: string
  readonly enc: Uint8Array
  readonly ciphertext: Uint8Array
}

/** An import that waits for its code, and the enclave's key (65 bytes, P-256) to seal to. */
export type ImportStart = {
  readonly importId: string
  readonly walletId: string
  readonly enclavePublicKey: Uint8Array
}

/** Calls the API in the name of one user. */
export type UserApi = {
  get(path: string): Promise<unknown>
  post(path: string, body?: JsonObject, more?: Partial<ApiCall>): Promise<unknown>
}

/** The API for the user whom the token names. */
export function userApi(api: ApiClient, token: string): UserApi {
  return {
    get: (path) => api({ method: 'GET', path, token }),
    post: (path, body, more = {}) =>
      api({ method: 'POST', path, token, ...(body !== undefined && { body }), ...more }),
  }
}

const me = '/v1/wallets/me'

/** Who is logged in. */
export async function identify({ post }: UserApi): Promise<Identity> {
  const fields = answerFields(await post('/v1/wallets/identify'))
  const networks = fields['supported_networks']
  return {
    organizationId: text(fields, 'organization_id'),
    userIdentityId: text(fields, 'user_identity_id'),
    supportedNetworks: Array.isArray(networks) ? networks.map(String) : [],
  }
}

/** All wallets of the user, archived ones too. */
export async function listWallets({ get }: UserApi): Promise<Wallet[]> {
  const list = await get(`${me}/all`)
  if (!Array.isArray(list)) throw new Error('no list of wallets')
  return list.map((each: unknown) =>
    readWallet(each, answerFields(each)['curve'] === 'ed25519' ? 'ed25519' : 'secp256k1'),
  )
}

/** Creates the user's wallet of a curve; the same key repeats the same request. */
export async function postWallet(
  { post }: UserApi,
  body: JsonObject,
  curve: Curve,
  idempotencyKey: string,
): Promise<Wallet> {
  const more = { idempotencyKey, timeLimitMs: webhookLimitMs }
  return readWallet(await post('/v1/wallets', body, more), curve)
}

/** The share that the service holds; it logs the purpose. */
export async function fetchProviderShare(
  { post }: UserApi,
  curve: Curve,
  purpose: SharePurpose,
  signal?: AbortSignal,
): Promise<ProviderShare> {
  const path = `${me}/shares/provider?curve=${curve}${purpose === 'sign' ? '' : `&purpose=${purpose}`}`
  const more = { isPatient: true, ...(signal !== undefined && { signal }) }
  const fields = answerFields(await post(path, undefined, more))
  return { walletId: text(fields, 'wallet_id'), share: base64Bytes(fields, 'provider_share') }
}

/** Puts new shares of the wallet into force. */
export async function refreshShares({ post }: UserApi, body: JsonObject, curve: Curve): Promise<Wallet> {
  const more = { timeLimitMs: reshareLimitMs }
  return readWallet(await post(`${me}/shares/refresh`, body, more), curve)
}

/** Emails a recovery code; returns the id of the recovery. */
export async function initiateRecovery({ post }: UserApi, curve: Curve): Promise<string> {
  const fields = answerFields(await post(`${me}/recovery/initiate`, { curve }))
  return text(fields, 'recovery_process_id')
}

/** Trades the emailed code for the two shares that rebuild the key. */
export async function verifyRecovery({ post }: UserApi, id: string, code: string): Promise<RecoveredShares> {
  const more = { timeLimitMs: webhookLimitMs }
  const fields = answerFields(await post(`${me}/recovery/${id}/verify`, { code }, more))
  return {
    walletId: text(fields, 'wallet_id'),
    providerShare: base64Bytes(fields, 'provider_share'),
    recoveryShare: base64Bytes(fields, 'recovery_share'),
  }
}

/** Puts the shares of a recovered key into force. */
export async function completeRecovery({ post }: UserApi, id: string, body: JsonObject): Promise<void> {
  await post(`${me}/recovery/${id}/complete`, body, { timeLimitMs: reshareLimitMs })
}

/** The user operation to sign, with its hash and fees. */
export async function buildUserOp({ post }: UserApi, body: JsonObject): Promise<JsonObject> {
  return answerFields(await post('/v1/userop/build', body))
}

/** Submits a signed user operation to the bundler. */
export async function submitUserOp({ post }: UserApi, body: JsonObject): Promise<JsonObject> {
  return answerFields(await post('/v1/userop/submit', body, { timeLimitMs: submitLimitMs }))
}

/** Emails an export code; returns the id of the export. */
export async function initiateExport({ post }: UserApi, curve: Curve): Promise<string> {
  return text(answerFields(await post(`${me}/export/initiate`, { curve })), 'export_id')
}

/** How a process of the user stands. */
export type ProcessState = { readonly state: string; readonly readyAt: Date | null }

/** Reads a recovery or an export. */
export async function readProcess(
  { get }: UserApi,
  purpose: 'recovery' | 'export',
  id: string,
): Promise<ProcessState> {
  const { state, ready_at } = answerFields(await get(`${me}/${purpose}/${id}`))
  return { state: String(state), readyAt: typeof ready_at === 'string' ? new Date(ready_at) : null }
}

/** Trades the emailed code for the key, sealed to the frame. */
export async function completeExport({ post }: UserApi, body: JsonObject): Promise<SealedKey> {
  const fields = answerFields(await post(`${me}/export/complete`, body))
  return {
    walletId: text(fields, 'wallet_id'),
    enc: base64Bytes(fields, 'enc'),
    ciphertext: base64Bytes(fields, 'ciphertext'),
  }
}

/** Emails an import code; returns the enclave's key to seal to. */
export async function initiateImport({ post }: UserApi, curve: Curve): Promise<ImportStart> {
  const fields = answerFields(await post(`${me}/import/initiate`, { curve }))
  return {
    importId: text(fields, 'import_id'),
    walletId: text(fields, 'wallet_id'),
    enclavePublicKey: base64Bytes(fields, 'enclave_public_key'),
  }
}

/** Imports the sealed key with the emailed code. */
export async function completeImport({ post }: UserApi, body: JsonObject, curve: Curve): Promise<Wallet> {
  return readWallet(await post(`${me}/import/complete`, body), curve)
}
