import { randomBytes } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { Wallet } from '@symbolon/api'
import { combineShares, shareRefreshStatement, splitSecret } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks'
import { walletAddresses } from '@symbolon/networks/testing/by-intent'
import { mailedCode, mailsTo } from '../app/mails.ts'
import type { User } from '../app/tenant.ts'
import type { Api, Installation } from '../app/test-app.ts'

/** The three shares of a key, as a browser makes them: device, provider, recovery. */
export type Shares = { device: Uint8Array; provider: Uint8Array; recovery: Uint8Array }

/** A key as a browser holds it while it makes a wallet. */
export type ClientKey = Shares & { curve: Curve; secret: Uint8Array; publicKey: string; address: string }

const random = (length: number) => new Uint8Array(randomBytes(length))

/** Splits a key on a fresh polynomial; `indexes` are those of device, provider and recovery share. */
export function split(secret: Uint8Array, indexes: [number, number, number] = [1, 2, 3]): Shares {
  const [device, provider, recovery] = splitSecret(secret, indexes, random)
  if (device === undefined || provider === undefined || recovery === undefined) throw new Error('no shares')
  return { device, provider, recovery }
}

/** Makes a key and its shares. */
export function newClientKey(curve: Curve = 'secp256k1', indexes?: [number, number, number]): ClientKey {
  const secret = curve === 'secp256k1' ? secp256k1.utils.randomSecretKey() : ed25519.utils.randomSecretKey()
  const publicKey = curve === 'secp256k1' ? secp256k1.getPublicKey(secret) : ed25519.getPublicKey(secret)
  const addresses = walletAddresses(curve, publicKey)
  const address = addresses[curve === 'secp256k1' ? 'evm' : 'solana'] ?? ''
  return { curve, secret, publicKey: hex(publicKey), address, ...split(secret, indexes) }
}

/** 0x hex. */
export const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** Base64. */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** What a browser sends to make the wallet. */
export const creationBody = (key: ClientKey) => ({
  curve: key.curve,
  address: key.address,
  public_key: key.publicKey,
  provider_share: base64(key.provider),
  provider_share_index: key.provider[32] ?? 0,
  recovery_share: base64(key.recovery),
  recovery_share_index: key.recovery[32] ?? 0,
})

/** What a browser sends to finish a recovery. */
export const completionBody = ({ provider, recovery }: Shares) => ({
  new_provider_share: base64(provider),
  new_provider_share_index: provider[32] ?? 0,
  new_recovery_share: base64(recovery),
  new_recovery_share_index: recovery[32] ?? 0,
})

/** The key's signature over a refresh of its wallet, as a browser makes it: 64 bytes. */
export function refreshSignature(
  { curve, secret }: Pick<ClientKey, 'curve' | 'secret'>,
  wallet: Pick<Wallet, 'id' | 'polynomial_version'>,
  { provider, recovery }: Shares,
): Uint8Array {
  const statement = shareRefreshStatement({
    walletId: wallet.id,
    polynomialVersion: wallet.polynomial_version,
    newProviderShare: provider,
    newProviderShareIndex: provider[32] ?? 0,
    newRecoveryShare: recovery,
    newRecoveryShareIndex: recovery[32] ?? 0,
  })
  return curve === 'secp256k1' ? secp256k1.sign(statement, secret) : ed25519.sign(statement, secret)
}

/** What a browser sends to replace the shares of its wallet. */
export const refreshBody = (
  key: Pick<ClientKey, 'curve' | 'secret'>,
  wallet: Pick<Wallet, 'id' | 'polynomial_version'>,
  shares: Shares,
) => ({
  curve: key.curve,
  polynomial_version: wallet.polynomial_version,
  ...completionBody(shares),
  signature: hex(refreshSignature(key, wallet, shares)),
})

/** The key that two base64 shares rebuild. */
export function rebuilt(one: unknown, other: unknown): Uint8Array {
  const out = new Uint8Array(32)
  const bytes = (text: unknown) => Uint8Array.from(Buffer.from(String(text), 'base64'))
  combineShares(bytes(one), bytes(other), out)
  return out
}

type Credentials = Pick<User, 'pk' | 'token'>

/** Makes the user's wallet of a key. */
export async function makeClientWallet(
  api: Api,
  { pk, token }: Credentials,
  key: ClientKey = newClientKey(),
): Promise<{ key: ClientKey; wallet: Wallet }> {
  const made = await api.call<Wallet>('POST', '/v1/wallets', { pk, token, json: creationBody(key) })
  if (made.status !== 201) throw new Error(`The creation answered ${made.text}`)
  return { key, wallet: made.data }
}

/** The steps of a recovery by one user. */
export function recoverySteps(app: Api & Installation, { pk, token, email }: Omit<User, 'id'>) {
  const post = (path: string, json?: unknown) =>
    app.call('POST', `/v1/wallets/me/recovery/${path}`, { pk, token, ...(json !== undefined && { json }) })
  return {
    initiate: (json?: unknown) => post('initiate', json),
    verify: (id: string, code: string) => post(`${id}/verify`, { code }),
    complete: (id: string, shares: Shares) => post(`${id}/complete`, completionBody(shares)),
    read: (id: string) => app.call('GET', `/v1/wallets/me/recovery/${id}`, { pk, token }),

    /** Starts a process and waits for its code. */
    async start(json?: unknown): Promise<{ id: string; code: string }> {
      const before = mailsTo(app, email).length
      const started = await post('initiate', json)
      if (started.status !== 200) throw new Error(`The start answered ${started.text}`)
      return { id: String(started.data['recovery_process_id']), code: await mailedCode(app, email, before) }
    },

    /** Starts and verifies. */
    async verified(json?: unknown): Promise<{ id: string; data: Record<string, unknown> }> {
      const { id, code } = await this.start(json)
      const { status, data, text } = await this.verify(id, code)
      if (status !== 200) throw new Error(`The code answered ${text}`)
      return { id, data }
    },
  }
}
