import type { Chain } from '../chain.ts'
import { toHex, toHex0x } from '../codec/hex.ts'
import type { Action, Decoded, Effect } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { isUnlimited, nativeDisplay } from '../preview/amount-display.ts'
import { readCallData } from './abi-reader.ts'
import { checksumAddress } from './address.ts'
import type { KnownMethod, MethodMeaning } from './known-method.ts'
import { knownMethod } from './known-methods.ts'
import { evmTokenDisplay } from './known-tokens.ts'
import type { EvmTransaction } from './raw-transaction.ts'

/** A call as it is read from bytes or from a request. */
export type CallBytes = Pick<EvmTransaction, 'to' | 'value' | 'data'>

/** The effects of one call from `scope.address`, without a fee; what it hands on to others is unknown here. */
export function decodeCallEffects(
  call: CallBytes,
  { chain, address }: Omit<TransactionScope, 'publicKey'>,
): Decoded {
  const to = call.to === null ? null : checksumAddress(call.to)
  const sent = call.value > 0n ? [nativeTransfer(call.value, address, to, chain)] : []
  if (to === null) {
    const action = {
      ...noDetails,
      kind: 'call',
      asset: null,
      amount: null,
      from: address,
      to,
      method: 'create',
    } as const
    return decoded('Create contract', [...sent, action], ['This creates a contract.'])
  }
  if (call.data.length === 0) {
    const actions = sent.length > 0 ? sent : [nativeTransfer(0n, address, to, chain)]
    return decoded(`Send ${nativeDisplay(call.value, chain.nativeAsset)}`, actions, [])
  }
  const known = readKnownMethod(call.data, to, address)
  if (known) return describeKnown(known.method, known.meaning, sent, chain)
  return unknownCall(call, to, address, sent)
}

/** A call whose effects are unknown. */
export function unknownCall(
  { data }: CallBytes,
  to: string | null,
  from: string,
  sent: readonly Action[],
): Decoded {
  const method = data.length < 4 ? null : toHex0x(data.subarray(0, 4))
  const action: Action = { ...noDetails, kind: 'unknown', asset: null, amount: null, from, to, method }
  return decoded('Unknown contract call', [...sent, action], ['The effects of this call are unknown.'])
}

const noDetails = { amountDisplay: null, args: null }

function decoded(title: string, actions: readonly Action[], warnings: readonly string[]): Decoded {
  return { title, actions, fee: null, warnings }
}

/** Native asset that moves. */
export function nativeTransfer(amount: bigint, from: string, to: string | null, chain: Chain): Action {
  return {
    kind: 'transfer',
    asset: chain.nativeAsset.symbol,
    amount,
    from,
    to,
    amountDisplay: nativeDisplay(amount, chain.nativeAsset),
    method: null,
    args: null,
  }
}

/** A selector of a known method with arguments that are not its own encoding is not that method. */
function readKnownMethod(
  data: Uint8Array,
  contract: string,
  sender: string,
): { method: KnownMethod; meaning: MethodMeaning } | undefined {
  const method = knownMethod(toHex(data.subarray(0, 4)))
  const meaning =
    method && readCallData(data, method.argumentCount, (reader) => method.read(reader, { contract, sender }))
  return method && meaning && { method, meaning }
}

function describeKnown(
  method: KnownMethod,
  meaning: MethodMeaning,
  sent: readonly Action[],
  chain: Chain,
): Decoded {
  const actions = meaning.effects.map((effect) => ({
    ...effect,
    amountDisplay: effect.kind === 'admin' ? null : evmTokenDisplay(effect.asset, effect.amount, chain),
    method: method.name,
    args: meaning.args,
  }))
  const warnings = meaning.effects.filter(isUnlimitedApproval).map((effect) => unlimitedWarning(effect))
  if (meaning.warning !== undefined) warnings.push(meaning.warning)
  return decoded(meaning.title ?? method.title, [...sent, ...actions], warnings)
}

/** Whether an effect lets its `to` take any amount. */
export function isUnlimitedApproval(effect: Effect): boolean {
  return effect.kind === 'approval' && isUnlimited(effect.amount)
}

/** The warning about an unlimited approval. */
export function unlimitedWarning({ to, asset }: Effect): string {
  return `Unlimited approval: ${to} may spend all of ${asset}.`
}
