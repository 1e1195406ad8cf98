import { createECDH } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type KeyTransfer, keyTransferAad, keyTransferInfo } from '@symbolon/crypto'
import type { Curve } from '@symbolon/networks'
import type { Tenant, User } from '../app/tenant.ts'
import type { Answer, TestApp } from '../app/test-app.ts'
import { openHpke, sealHpke } from '../hpke/open-hpke.ts'

/** The public key of a private one, as the wire spells it. */
export function publicKeyOf(curve: Curve, key: Uint8Array): string {
  const bytes = curve === 'secp256k1' ? secp256k1.getPublicKey(key, true) : ed25519.getPublicKey(key)
  return `0x${Buffer.from(bytes).toString('hex')}`
}

/** Status and code of an answer. */
export const outcome = ({ status, error }: Answer<unknown>): string => `${status} ${error?.code ?? ''}`.trim()

const fromBase64 = (text: unknown) => Uint8Array.from(Buffer.from(String(text), 'base64'))
const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** What a client does of exports and imports for one user, against one API process. */
export function transferSteps(app: TransferApi, tenant: Tenant, user: User) {
  const post = poster(app, user)
  return { post, ...exportSteps(app, tenant, user), ...importSteps(app, tenant, user) }
}

type TransferApi = Pick<TestApp, 'call' | 'mailServer'>
type Headers = Record<string, string>

const poster =
  (app: TransferApi, { pk, token }: User) =>
  (path: string, json?: unknown, headers: Headers = {}) =>
    app.call('POST', `/v1/wallets/me/${path}`, { pk, token, headers, ...(json !== undefined && { json }) })

/** Initiates a transfer and waits for its code. */
async function start(app: TransferApi, user: User, kind: 'export' | 'import', curve: Curve) {
  const codes = () =>
    app.mailServer.mails.flatMap(({ raw, to }) => {
      const code = new RegExp(`^Subject: (\\d{6}) is your wallet key ${kind} code`, 'm').exec(raw)?.[1]
      return to.includes(user.email) && code !== undefined ? [code] : []
    })
  const before = codes().length
  const answer = await poster(app, user)(`${kind}/initiate`, { curve })
  if (answer.status !== 200) throw new Error(`The start answered ${answer.text}`)
  for (let i = 0; i < 1_000; i++) {
    const code = codes()[before]
    if (code !== undefined) return { data: answer.data, code }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('No code came.')
}

function exportSteps(app: TransferApi, tenant: Tenant, user: User) {
  return {
    /** Starts an export, with the key pair that it shall be for. */
    async startExport(curve: Curve = 'secp256k1') {
      const { data, code } = await start(app, user, 'export', curve)
      const recipient = createECDH('prime256v1')
      recipient.generateKeys()
      return { id: String(data['export_id']), code, recipient, expiresAt: String(data['expires_at']) }
    },

    completeExport: (
      { id, recipient }: { id: string; recipient: { getPublicKey(): Buffer } },
      code: string,
      headers?: Headers,
    ) =>
      poster(app, user)(
        'export/complete',
        { export_id: id, code, recipient_public_key: toBase64(recipient.getPublicKey()) },
        headers,
      ),

    /** Opens what an export answered. */
    openExport(
      { recipient }: { recipient: ReturnType<typeof createECDH> },
      answer: Answer,
      change: Partial<KeyTransfer> = {},
    ) {
      const { wallet_id: walletId, curve, enc, ciphertext } = answer.data
      const transfer = { organizationId: tenant.id, userIdentityId: user.id, walletId, curve, ...change }
      const context = { info: keyTransferInfo.export, aad: keyTransferAad(transfer as KeyTransfer) }
      return openHpke(recipient, { enc: fromBase64(enc), ciphertext: fromBase64(ciphertext) }, context)
    },
  }
}

function importSteps(app: TransferApi, tenant: Tenant, user: User) {
  return {
    /** Starts an import. */
    async startImport(curve: Curve = 'secp256k1') {
      const { data, code } = await start(app, user, 'import', curve)
      const transfer = {
        organizationId: tenant.id,
        userIdentityId: user.id,
        walletId: String(data['wallet_id']),
        curve,
      }
      const enclaveKey = fromBase64(data['enclave_public_key'])
      return {
        id: String(data['import_id']),
        code,
        transfer,
        enclaveKey,
        attestation: fromBase64(data['attestation']),
        /** Seals a key as the enclave expects it, but for the change. */
        seal(key: Uint8Array, change: Partial<KeyTransfer> = {}, info = keyTransferInfo.import) {
          const aad = keyTransferAad({ ...transfer, ...change })
          const { enc, ciphertext } = sealHpke(enclaveKey, key, { info, aad })
          return { enc: toBase64(enc), ciphertext: toBase64(ciphertext) }
        },
      }
    },

    completeImport: (
      { id }: { id: string },
      code: string,
      sealed: { enc: string; ciphertext: string },
      headers?: Headers,
    ) => poster(app, user)('import/complete', { import_id: id, code, ...sealed }, headers),
  }
}
