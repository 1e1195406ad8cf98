import { createHash } from 'node:crypto'
import { type Payload, type SignAnswer, type SignPreview, signingDigests } from '@symbolon/networks'

/**
 * What a `wallet.signed` event says was signed; null where it does not apply. `digest` is lower-case hex: the first of the digests that
 * were signed with secp256k1, for ed25519 the SHA-256 of the signed bytes. `target`, `value` and `asset` are of the first action of the
 * preview; `value` (smallest unit) adds up the actions of its kind and asset. `fee` is the worst case.
 */
export type SignedFacts = {
  chain: string
  network: string
  digest: string
  digests_total: number
  transaction_hash: string | null
  target: string | null
  value: string | null
  asset: string | null
  fee: { asset: string; amount: string } | null
}

/** What was signed, by the preview of the very bytes and the answer that their signatures make. */
export function signedFacts(
  payload: Payload,
  { actions, fee }: Pick<SignPreview, 'actions' | 'fee'>,
  { transaction_hash: hash }: Pick<SignAnswer, 'transaction_hash'>,
): SignedFacts {
  const { chain } = payload.scope
  const digests = signingDigests(payload)
  const [{ payload: signed }] = digests
  const first = actions[0]
  return {
    chain: chain.handle,
    network: chain.network,
    digest: Buffer.from(chain.curve === 'secp256k1' ? signed : sha256(signed)).toString('hex'),
    digests_total: digests.length,
    transaction_hash: hash ?? null,
    target: storable(first?.to),
    value: valueMoved(actions),
    asset: storable(first?.asset),
    fee,
  }
}

/** What the first action moves, with the others of its kind and asset; null where one of them does not say how much, or is not shown. */
function valueMoved(actions: SignPreview['actions']): string | null {
  const [first] = actions
  if (isCut(actions)) return null
  const alike = actions.filter(({ kind, asset }) => kind === first?.kind && asset === first.asset)
  if (alike.length === 0 || alike.some(({ amount }) => amount === null)) return null
  return alike.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n).toString()
}

/** A preview with more actions than it shows ends with one that stands for the rest. */
function isCut(actions: SignPreview['actions']): boolean {
  const last = actions.at(-1)
  return actions.length > 1 && last?.kind === 'unknown' && last.to === null && last.method === null
}

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest()

const textMax = 256

/** A name comes from the payload: no control character or lone surrogate of it is stored, nor more than an event needs. */
const storable = (text: string | null | undefined): string | null =>
  text?.slice(0, textMax).replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd') ?? null
