import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NetworkName } from '@symbolon/api'
import { type DevOrganization, mailboxStore } from '@symbolon/dev/testing/platform'
import { networks } from '@symbolon/networks'
import { openSecretsFile, systemIds, systemRandom } from '@symbolon/server/testing/adapters'
import { insertApiKey, mintServiceToken, serviceTokens } from '@symbolon/server/testing/organizations'
import type { Answer, HttpClient } from '../http/http-client.ts'
import type { PlatformProcesses } from './platform-processes.ts'

/** An organization with its keys, as `POST /dev/organizations` answers it. */
export type Organization = DevOrganization
/** A user with a living token. */
export type User = { email: string; identityId: string; token: string }

const ids = systemIds()

/** Makes an organization of its own through the running platform. */
export async function createOrganization(
  api: HttpClient,
  signingMode: 'client' | 'tee' = 'tee',
): Promise<Organization> {
  const { status, text } = await api.call('/dev/organizations', {
    method: 'POST',
    body: { name: 'Faults', signing_mode: signingMode },
  })
  if (status !== 201) throw new Error(`No organization: ${status} ${text}`)
  return JSON.parse(text) as Organization
}

/** Mints secret keys as the portal will: each has a rate of its own, so that a test may ask often. */
export async function mintSecretKeys(
  { sql, files }: PlatformProcesses,
  organizationId: string,
  count: number,
): Promise<{ id: string; key: string }[]> {
  const { pepper } = openSecretsFile(files.secrets)
  const hashToken = (token: string) => createHmac('sha256', pepper).update(token).digest()
  const minting = { ids, random: systemRandom, hashToken }
  const key = {
    name: 'load',
    type: 'secret' as const,
    scope: 'full' as const,
    ipAllowlist: [],
    expiresAt: null,
  }
  return Promise.all(Array.from({ length: count }, () => insertApiKey(minting, sql, organizationId, key)))
}

/** Hands keys out in turn. */
export function inTurn<item>(items: readonly item[]): () => item {
  let next = 0
  return () => {
    const item = items[next++ % items.length]
    if (item === undefined) throw new Error('nothing to hand out')
    return item
  }
}

/** A token as the login mints it: another one for a user who has logged in once. */
export function mintToken(
  platform: { files: Pick<PlatformProcesses['files'], 'secrets'>; baseUrl: string },
  organization: Organization,
  user: Omit<User, 'token'>,
): string {
  const { masters } = openSecretsFile(platform.files.secrets)
  return mintServiceToken(serviceTokens({ baseUrl: platform.baseUrl, masters }), {
    organization: {
      id: organization.id,
      signingMode: 'tee',
      supportedNetworks: networks.list.map(({ name }) => name as NetworkName),
      authMode: 'service',
      oidcIssuer: null,
      oidcAudience: null,
      oidcTrustEmail: false,
      authChangedAtMs: 0,
      allowedOrigins: [],
      userSignsPerMinute: null,
      receipts: false,
    },
    identityId: user.identityId,
    email: user.email,
    jti: ids.next(),
    nowMs: Date.now(),
  })
}

export const publishable = ({ publishable_key }: Organization) => ({
  'x-service-publishable-key': publishable_key,
})
export const secret = (key: string) => ({ authorization: `Bearer ${key}` })
export const asUser = (organization: Organization, token: string) => ({
  ...publishable(organization),
  ...secret(token),
})
export const newEmail = (): string => `user-${randomBytes(6).toString('hex')}@example.test`

/** Asks for a login code; its answer is the route's. */
export const startLogin = (api: HttpClient, organization: Organization, email: string): Promise<Answer> =>
  api.call('/v1/wallets/auth/email-otp/start', {
    method: 'POST',
    headers: publishable(organization),
    body: { email },
  })

/** Tries a login code. */
export const verifyLogin = (
  api: HttpClient,
  organization: Organization,
  email: string,
  code: string,
): Promise<Answer> =>
  api.call('/v1/wallets/auth/email-otp/verify', {
    method: 'POST',
    headers: publishable(organization),
    body: { email, code },
  })

/** The newest code that was emailed to an address; waits for it. */
export async function mailedCode(
  { sql }: PlatformProcesses,
  email: string,
  withinMs = 10_000,
): Promise<string> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const mails = await mailboxStore.list(sql, email).catch(() => [])
    const code = mails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean)
    if (code !== undefined) return code
    await sleep(20)
  }
  throw new Error(`No email came to ${email}`)
}

/** Logs a new user in, mail and all. */
export async function logIn(
  platform: PlatformProcesses,
  api: HttpClient,
  organization: Organization,
  mailWithinMs?: number,
): Promise<User> {
  const email = newEmail()
  const started = await startLogin(api, organization, email)
  if (started.status !== 204) throw new Error(`No code: ${started.status} ${started.text}`)
  const code = await mailedCode(platform, email, mailWithinMs)
  const { status, text, data } = await verifyLogin(api, organization, email, code)
  if (status !== 200) throw new Error(`No login: ${status} ${text}`)
  return { email, identityId: String(data['user_identity_id']), token: String(data['token']) }
}

/** Makes the user's own wallet. */
export const createMyWallet = (
  api: HttpClient,
  organization: Organization,
  { token }: { token: string },
  curve: 'secp256k1' | 'ed25519' = 'secp256k1',
): Promise<Answer> =>
  api.call('/v1/wallets', { method: 'POST', headers: asUser(organization, token), body: { curve } })

/** Makes a wallet for a user whom a backend names. */
export const createWalletFor = (api: HttpClient, key: string, providerUserId: string): Promise<Answer> =>
  api.call('/v1/s2s/wallets', {
    method: 'POST',
    headers: secret(key),
    body: { provider_user_id: providerUserId },
  })

/** Signs a message with the user's own wallet. */
export const signMine = (
  api: HttpClient,
  organization: Organization,
  token: string,
  message = 'hello',
): Promise<Answer> =>
  api.call('/v1/wallets/me/sign', {
    method: 'POST',
    headers: asUser(organization, token),
    body: { type: 'message', message, encoding: 'utf8' },
  })

/** Signs a message with a wallet of the organization. */
export const signFor = (api: HttpClient, key: string, walletId: string, message = 'hello'): Promise<Answer> =>
  api.call('/v1/s2s/sign', {
    method: 'POST',
    headers: secret(key),
    body: { wallet_id: walletId, type: 'message', message, encoding: 'utf8' },
  })

/** Who a token belongs to. */
export const identify = (api: HttpClient, organization: Organization, token: string): Promise<Answer> =>
  api.call('/v1/wallets/identify', { method: 'POST', headers: asUser(organization, token) })
