import type { EvmCall } from '@symbolon/networks/evm'
import { type EvmTransactionFields, type SignRequest, toHex0x } from '@symbolon/networks/request'
import { FrameFailure } from '../frame-failure.ts'
import type { Random } from '../keys/random.ts'

/** Long enough for the receipts of a long list on a slow chain. */
const agreedForMs = 30 * 60_000
/** The most lists of one page at a time. */
const listsMax = 16

/**
 * Calls that the person has agreed to, in their order, and what all of their fees may cost together, in wei; or serialized transactions,
 * whose fees are in their bytes.
 */
export type CallList = {
  readonly chain: string
  readonly calls: readonly (EvmCall | string)[]
  readonly maxFee: bigint
}

type Left = {
  readonly chain: string
  readonly calls: (EvmCall | string)[]
  feeLeft: bigint
  nonceMin: bigint
  readonly endsAt: number
}

/**
 * The lists of calls that the person of one login has agreed to. Each call counts once, after the one before it, and only as long as
 * this document lives: a reload or another login ends them all.
 */
export type AgreedCalls = {
  /** Keeps a list; returns the name by which its calls are asked for. */
  readonly keep: (list: CallList) => string
  /**
   * Takes the next call of a list. False where its fee is above what is left: then the person is asked for it alone. Throws
   * `preview_mismatch` for any other call, for one that could take effect without those before it (by a nonce that is not above theirs), for
   * a list that is over, and for anything but a transaction in its network's default form, which lists use.
   */
  readonly take: (batch: string, request: SignRequest) => boolean
  /** Forgets all lists. */
  readonly end: () => void
}

/** No lists yet; `nowMs` never goes back. */
export function agreedCalls(random: Random, nowMs: () => number = () => performance.now()): AgreedCalls {
  const lists = new Map<string, Left>()
  return {
    keep({ chain, calls, maxFee }) {
      for (const [name, { endsAt }] of lists)
        if (endsAt <= nowMs() || lists.size >= listsMax) lists.delete(name)
      const batch = toHex0x(random(16)).slice(2)
      lists.set(batch, {
        chain,
        calls: [...calls],
        feeLeft: maxFee,
        nonceMin: 0n,
        endsAt: nowMs() + agreedForMs,
      })
      return batch
    },
    take(batch, request) {
      if (request.type !== 'transaction' || request.sign_mode === 'amino_json')
        throw new FrameFailure('preview_mismatch')
      const { chain, transaction } = request
      const list = lists.get(batch)
      const next = list?.calls.shift()
      if (list === undefined || next === undefined || list.endsAt <= nowMs() || list.chain !== chain)
        throw new FrameFailure('preview_mismatch')
      if (typeof transaction === 'string' || typeof next === 'string') {
        if (transaction === next) return true
        lists.delete(batch)
        throw new FrameFailure('preview_mismatch')
      }
      const nonce = BigInt(transaction.nonce)
      if (!isCall(transaction, next) || nonce < list.nonceMin) {
        lists.delete(batch)
        throw new FrameFailure('preview_mismatch')
      }
      list.nonceMin = nonce + 1n
      const fee = worstFee(transaction)
      if (fee > list.feeLeft) return false
      list.feeLeft -= fee
      return true
    },
    end: () => lists.clear(),
  }
}

function isCall({ to, data = '0x', value = '0x0' }: EvmTransactionFields, call: EvmCall): boolean {
  return (
    to?.toLowerCase() === call.to.toLowerCase() &&
    data.toLowerCase() === call.data.toLowerCase() &&
    BigInt(value) === call.value
  )
}

function worstFee({ gas_limit, max_fee_per_gas, gas_price }: EvmTransactionFields): bigint {
  return BigInt(gas_limit) * BigInt(max_fee_per_gas ?? gas_price ?? '0x0')
}
