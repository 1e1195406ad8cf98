import { backend } from '../adapters/backend.ts'
import { toBase64 } from '../bytes.ts'
import { given } from '../given.ts'
import { type DecryptionKey, type OpenShare, shareOpener } from './open-sealed-share.ts'
import type { PlatformKeys } from './platform-keys.ts'
import type { RecoveryShareStore, StoredRecoveryShare } from './recovery-share-store.ts'
import { type RecoveryShareFields, readSealedShare, readShareFields, shareBytes } from './share-fields.ts'
import { secretsOf, verifyWebhook, type WebhookMessage } from './verify-webhook.ts'

/** The options of a receiver. */
export type RecoveryReceiverOptions = {
  /** The webhook's signing secret, `whsec_…`; several while it is replaced. */
  readonly secrets: string | readonly string[]
  readonly store: RecoveryShareStore
  /** The private half of the webhook's `encryption_key`, where it has one; several while it is replaced. */
  readonly decryptionKey?: DecryptionKey | readonly DecryptionKey[]
  /** Takes only messages about this organization. */
  readonly organizationId?: string
  /** The platform's public keys, to take `v1a` signatures too. */
  readonly keys?: PlatformKeys
  /** Gets internal errors, mostly the store's; the platform only gets a 500. */
  readonly onError?: (error: unknown) => void
  readonly nowMs?: () => number
}

const bodyBytesMax = 65_536
const toleranceMs = 5 * 60_000

/** Refuses a message with an HTTP status; the code is for the reader of the answer. */
class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number

  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

/**
 * A recovery webhook, ready to be served: verifies each call, keeps shares by wallet and version, gives them back, and
 * empties what was rotated away. A share is stored as received, but checked first: one that could not be opened later is
 * refused, and so is a different share for a version that has one. Each request for a share is answered once, so that nobody
 * can get the share by sending the request again. Needs the raw body, before any parser. Never rejects; throws `TypeError` at once on
 * invalid options.
 */
export function createRecoveryReceiver(
  options: RecoveryReceiverOptions,
): (request: Request) => Promise<Response> {
  const {
    secrets,
    keys,
    organizationId,
    onError = () => {},
    nowMs = backend.nowMs,
  } = given('createRecoveryReceiver', options, ['secrets', 'store'])
  secretsOf(options)
  const handle = messageHandler(options)
  return async (request) => {
    try {
      if (request.method !== 'POST') throw new Refusal(405, 'method_not_allowed')
      const body = await boundedBody(request)
      const proof = { headers: request.headers, body, secrets, toleranceMs, nowMs: nowMs() }
      const { data: message, error } = await verifyWebhook({ ...proof, ...(keys !== undefined && { keys }) })
      if (error !== null) throw new Refusal(error.code === 'invalid_message' ? 400 : 401, error.code)
      if (organizationId !== undefined && message.data['organization_id'] !== organizationId)
        throw new Refusal(403, 'other_organization')
      return await handle(message)
    } catch (error) {
      if (error instanceof Refusal) return answer(error.status, { error: error.message })
      onError(error)
      return answer(500, { error: 'internal' })
    }
  }
}

function messageHandler({ store, decryptionKey = [] }: RecoveryReceiverOptions) {
  const open = shareOpener(isList(decryptionKey) ? decryptionKey : [decryptionKey])

  async function keep(fields: RecoveryShareFields, data: WebhookMessage['data']): Promise<Response> {
    const share = shareOf(data)
    const offered = await opened(open, { ...fields, share })
    if (offered === undefined) throw new Refusal(422, 'unusable_share')
    const kept = await store.put({ ...fields, share })
    const isSame = kept.share !== null && isSameWallet(kept, fields) && (await opened(open, kept)) === offered
    // Another share for a version that has one, or one for a version that was rotated away.
    if (!isSame) throw new Refusal(409, 'version_taken')
    return answer(204)
  }

  async function giveBack(fields: RecoveryShareFields, { id, sentAtMs }: WebhookMessage): Promise<Response> {
    // Past that time the call is too old to be believed.
    if (!(await store.claim(id, sentAtMs + 2 * toleranceMs))) throw new Refusal(409, 'replayed')
    const { walletId, polynomialVersion, shareIndex } = fields
    const kept = await store.get(walletId, polynomialVersion)
    if (kept === undefined || kept.share === null || !isSameWallet(kept, fields))
      throw new Refusal(404, 'not_found')
    const share = await opened(open, kept)
    if (share === undefined)
      throw new Error('A stored share could not be opened: is a decryption key missing?')
    return answer(200, {
      recovery_share: share,
      share_index: shareIndex,
      polynomial_version: polynomialVersion,
    })
  }

  async function rotate({ walletId, polynomialVersion }: RecoveryShareFields): Promise<Response> {
    if (!(await store.emptyOlder(walletId, polynomialVersion))) throw new Refusal(409, 'version_unknown')
    return answer(204)
  }

  return async (message: WebhookMessage): Promise<Response> => {
    if (message.type === 'ping') return answer(204)
    const fields = readShareFields(message.data)
    if (fields === undefined) throw new Refusal(400, 'invalid_message')
    if (message.type === 'recovery_share.store') return keep(fields, message.data)
    if (message.type === 'recovery_share.fetch') return giveBack(fields, message)
    if (message.type === 'recovery_share.rotated') return rotate(fields)
    throw new Refusal(400, 'unknown_type')
  }
}

function shareOf(data: WebhookMessage['data']): NonNullable<StoredRecoveryShare['share']> {
  const { recovery_share: recoveryShare, sealed_share: sealed } = data
  const sealedShare = readSealedShare(sealed)
  if (sealedShare !== undefined && recoveryShare === undefined) return { sealedShare }
  if (typeof recoveryShare === 'string' && sealed === undefined) return { recoveryShare }
  throw new Refusal(400, 'invalid_message')
}

/** The share itself in base64, or `undefined` if it is malformed or its index differs from the fields. */
async function opened(
  open: OpenShare,
  { share, ...fields }: StoredRecoveryShare,
): Promise<string | undefined> {
  if (share === null) return undefined
  const bytes =
    'sealedShare' in share
      ? await open(share.sealedShare, fields)
      : shareBytes(share.recoveryShare, fields.shareIndex)
  return bytes === undefined ? undefined : checkedShare(toBase64(bytes), fields.shareIndex)
}

function checkedShare(text: string, index: number): string | undefined {
  return shareBytes(text, index) === undefined ? undefined : text
}

function isSameWallet(kept: RecoveryShareFields, fields: RecoveryShareFields): boolean {
  return (
    kept.organizationId === fields.organizationId &&
    kept.userIdentityId === fields.userIdentityId &&
    kept.curve === fields.curve &&
    kept.shareIndex === fields.shareIndex
  )
}

async function boundedBody(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request.body ?? []) {
    length += part.length
    if (length > bodyBytesMax) throw new Refusal(413, 'payload_too_large')
    parts.push(part)
  }
  const body = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    body.set(part, offset)
    offset += part.length
  }
  return body
}

function answer(status: number, body?: object): Response {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return body === undefined
    ? new Response(null, { status })
    : new Response(JSON.stringify(body), { status, headers })
}

function isList(value: DecryptionKey | readonly DecryptionKey[]): value is readonly DecryptionKey[] {
  return Array.isArray(value)
}
