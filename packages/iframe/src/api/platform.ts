import type { Curve, JsonObject } from '../protocol/messages.ts'
import { answerFields, base64Bytes, text } from './answer-fields.ts'
import type { ApiCall, ApiClient } from './api-client.ts'
import { readWallet, type Wallet } from './wallet.ts'

/** What for the provider share is asked: the audit log says so. */
export type SharePurpose = 'sign' | 'export' | 'refresh'

/** The logged-in user. */
export type Identity = {
  readonly organizationId: string
  readonly userIdentityId: string
  readonly supportedNetworks: readonly string[]
}

/** A share as the service holds it, 33 bytes: y, then x. */
export type ProviderShare = { readonly walletId: string; readonly share: Uint8Array }

/** What a recovery code was traded for. */
export type RecoveredShares = {
  readonly walletId: string
  readonly providerShare: Uint8Array
  readonly recoveryShare: Uint8Array
}

// What the API promises to answer within, and a little more.
const webhookLimitMs = 25_000
const reshareLimitMs = 50_000
const submitLimitMs = 60_000

/** The calls of the API that the vault makes for one user, who is named by the token. */
export function platform(api: ApiClient, token: string) {
  const get = (path: string, signal?: AbortSignal) =>
    api({ method: 'GET', path, token, ...(signal !== undefined && { signal }) })
  const post = (path: string, body?: JsonObject, more: Partial<ApiCall> = {}) =>
    api({ method: 'POST', path, token, ...(body !== undefined && { body }), ...more })
  const me = '/v1/wallets/me'

  return {
    async identity(): Promise<Identity> {
      const fields = answerFields(await post('/v1/wallets/identify'))
      const networks = fields['supported_networks']
      return {
        organizationId: text(fields, 'organization_id'),
        userIdentityId: text(fields, 'user_identity_id'),
        supportedNetworks: Array.isArray(networks) ? networks.map(String) : [],
      }
    },

    /** The user's active wallet of a curve; `wallet_not_found` without one. */
    async wallet(curve: Curve): Promise<Wallet> {
      return readWallet(await get(`${me}?curve=${curve}`), curve)
    },

    /** All wallets of the user, archived ones too. */
    async wallets(): Promise<Wallet[]> {
      const list = await get(`${me}/all`)
      if (!Array.isArray(list)) throw new Error('no list of wallets')
      return list.map((each: unknown) =>
        readWallet(each, answerFields(each)['curve'] === 'ed25519' ? 'ed25519' : 'secp256k1'),
      )
    },

    async createWallet(body: JsonObject, curve: Curve, idempotencyKey: string): Promise<Wallet> {
      const more = { idempotencyKey, timeLimitMs: webhookLimitMs }
      return readWallet(await post('/v1/wallets', body, more), curve)
    },

    async providerShare(curve: Curve, purpose: SharePurpose, signal?: AbortSignal): Promise<ProviderShare> {
      const path = `${me}/shares/provider?curve=${curve}${purpose === 'sign' ? '' : `&purpose=${purpose}`}`
      const more = { isPatient: true, ...(signal !== undefined && { signal }) }
      const fields = answerFields(await post(path, undefined, more))
      return { walletId: text(fields, 'wallet_id'), share: base64Bytes(fields, 'provider_share') }
    },

    async refreshShares(body: JsonObject, curve: Curve): Promise<Wallet> {
      const more = { timeLimitMs: reshareLimitMs }
      return readWallet(await post(`${me}/shares/refresh`, body, more), curve)
    },

    async initiateRecovery(curve: Curve): Promise<string> {
      const fields = answerFields(await post(`${me}/recovery/initiate`, { curve }))
      return text(fields, 'recovery_process_id')
    },

    async verifyRecovery(id: string, code: string): Promise<RecoveredShares> {
      const more = { timeLimitMs: webhookLimitMs }
      const fields = answerFields(await post(`${me}/recovery/${id}/verify`, { code }, more))
      return {
        walletId: text(fields, 'wallet_id'),
        providerShare: base64Bytes(fields, 'provider_share'),
        recoveryShare: base64Bytes(fields, 'recovery_share'),
      }
    },

    async completeRecovery(id: string, body: JsonObject): Promise<void> {
      await post(`${me}/recovery/${id}/complete`, body, { timeLimitMs: reshareLimitMs })
    },

    async buildUserOp(body: JsonObject): Promise<JsonObject> {
      return answerFields(await post('/v1/userop/build', body))
    },

    async submitUserOp(body: JsonObject): Promise<JsonObject> {
      return answerFields(await post('/v1/userop/submit', body, { timeLimitMs: submitLimitMs }))
    },

    async initiateExport(curve: Curve): Promise<string> {
      return text(answerFields(await post(`${me}/export/initiate`, { curve })), 'export_id')
    },

    async completeExport(body: JsonObject): Promise<SealedKey> {
      const fields = answerFields(await post(`${me}/export/complete`, body))
      return {
        walletId: text(fields, 'wallet_id'),
        enc: base64Bytes(fields, 'enc'),
        ciphertext: base64Bytes(fields, 'ciphertext'),
      }
    },

    async initiateImport(curve: Curve): Promise<ImportStart> {
      const fields = answerFields(await post(`${me}/import/initiate`, { curve }))
      return {
        importId: text(fields, 'import_id'),
        walletId: text(fields, 'wallet_id'),
        enclavePublicKey: base64Bytes(fields, 'enclave_public_key'),
      }
    },

    async completeImport(body: JsonObject, curve: Curve): Promise<Wallet> {
      return readWallet(await post(`${me}/import/complete`, body), curve)
    },
  }
}

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

/** The calls of the API for one user. */
export type Platform = ReturnType<typeof platform>
