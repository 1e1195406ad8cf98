import { createHash } from 'node:crypto'
import { type Payload, type SignAnswer, type SignPreview, signingDigests } from '@symbolon/networks'

/**
 * What a `wallet.signed` event says was signed; null where it does not apply. `digest` is lower-case hex: the first of the digests that
 * were signed with secp256k1, for ed25519 the SHA-256 of the signed bytes. `asset` is that of the first action of the preview that moves
 * something, `value` (smallest unit) the sum of the actions of its kind and asset, `target` who gets most of it. Where nothing moves, they are
 * of the first action. `fee` is the worst case.
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
  const moved = movedBy(actions, isOneCall(payload) ? chain.nativeAsset.symbol : undefined)
  return {
    chain: chain.handle,
    network: chain.network,
    digest: Buffer.from(chain.curve === 'secp256k1' ? signed : sha256(signed)).toString('hex'),
    digests_total: digests.length,
    transaction_hash: hash ?? null,
    target: storable(moved.toSorted(byAmount)[0]?.to),
    value: isCut(actions) ? null : sumOf(moved),
    asset: storable(moved[0]?.asset),
    fee,
  }
}

type Actions = SignPreview['actions']

/** A transaction that is one call, of which all others are a part. */
const isOneCall = ({ intent, network: { name } }: Payload): boolean =>
  intent.kind === 'transaction' && (name === 'evm' || name === 'tron')

/**
 * The first action that moves something, with the others of its kind and asset. Where the one call of a transaction takes native value along,
 * it stands alone: what the calls within it move is of that.
 */
function movedBy(actions: Actions, nativeOfOneCall: string | undefined): Actions {
  const first = actions.find(isMove) ?? actions[0]
  if (first === undefined) return []
  if (first === actions[0] && isMove(first) && first.asset === nativeOfOneCall) return [first]
  return actions.filter(({ kind, asset }) => kind === first.kind && asset === first.asset)
}

const isMove = ({ kind, asset, amount }: Actions[number]): boolean =>
  asset !== null && amount !== '0' && (kind !== 'call' || amount !== null)

/** The largest first; an amount that is not said is the largest. */
function byAmount(one: Actions[number], other: Actions[number]): number {
  if (one.amount === null || other.amount === null)
    return Number(one.amount !== null) - Number(other.amount !== null)
  const difference = BigInt(other.amount) - BigInt(one.amount)
  return difference > 0n ? 1 : Number(difference !== 0n) * -1
}

/** Null where one of them does not say how much. */
function sumOf(moved: Actions): string | null {
  if (moved.length === 0 || moved.some(({ amount }) => amount === null)) return null
  return moved.reduce((sum, { amount }) => sum + BigInt(amount ?? 0), 0n).toString()
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
