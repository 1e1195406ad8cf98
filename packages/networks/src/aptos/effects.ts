import { toHex0x } from '../codec/hex.ts'
import type { Action, Decoded } from '../effect.ts'
import type { TransactionScope } from '../network.ts'
import { unlessRefused } from '../network-error.ts'
import { excerptHex } from '../preview/excerpt.ts'
import { expiryMs } from '../preview/expiry.ts'
import { feeWarnings } from '../preview/fee-warnings.ts'
import { nativeSent } from '../preview/native-sent.ts'
import { argumentReader } from './argument-reader.ts'
import { assetDisplay, assetId } from './assets.ts'
import { authorityWarningOf } from './authority-functions.ts'
import type { EntryFunction } from './entry-function.ts'
import { type FunctionMeaning, knownFunction } from './known-functions.ts'
import type { MoveScript } from './move-script.ts'
import type { AptosPayload, AptosTransaction } from './raw-transaction.ts'

type Described = Pick<Decoded, 'title' | 'actions' | 'warnings'>

const framework = '0x1::'
const unknownWarning = 'The effects of this call are unknown.'
const storeWarning = 'The transaction does not say which asset its stores hold.'
const multisigWarning = 'This acts for a multisig account: its effects are not evaluated here.'
const nothing = { asset: null, amount: null, amountDisplay: null }

/** The effects of a transaction; its fee in the worst case (maximum gas * price) unless another account pays it. */
export function decodeAptosEffects(transaction: AptosTransaction, scope: TransactionScope): Decoded {
  const { chain } = scope
  const { payload, feePayer, maxGas, gasPrice, expirationSeconds } = transaction
  const described = describePayload(payload, scope)
  const isPaidByOther = feePayer !== null && feePayer !== scope.address
  const fee = isPaidByOther ? null : { asset: chain.nativeAsset.symbol, amount: maxGas * gasPrice }
  const warnings = [
    ...described.warnings,
    ...signerWarnings((transaction.others ?? []).length),
    ...(fee ? feeWarnings(fee.amount, nativeSent(described.actions, scope.address, chain), chain) : []),
  ]
  return { ...described, fee, warnings, expiresAtMs: expiryMs(expirationSeconds) }
}

function describePayload({ call, multisig, script }: AptosPayload, scope: TransactionScope): Described {
  if (script) return describeScript(script, scope)
  if (multisig) return describeMultisig(multisig, call, scope)
  return call ? describeCall(call, scope) : unknownCall('nothing', null, {}, scope)
}

function describeScript({ code, types, args }: MoveScript, scope: TransactionScope): Described {
  const named = { code: excerptHex(code), ...namedArguments(types, args) }
  return { ...unknownCall('script', null, named, scope), title: 'Run a script' }
}

function describeCall(call: EntryFunction, scope: TransactionScope): Described {
  const method = `${call.module}::${call.name}`
  const isFramework = call.module.startsWith(framework)
  const name = method.slice(framework.length)
  const warning = isFramework ? authorityWarningOf(name) : undefined
  if (warning !== undefined) return describeAuthority(name, warning, call, scope)
  const meaning = isFramework ? readMeaning(name, call) : undefined
  if (meaning) return describeMeaning(name, meaning, scope)
  return unknownCall(method, call.module.slice(0, call.module.indexOf('::')), rawArguments(call), scope)
}

/** A known function with arguments that are not its own aborts on the chain: its effects are unknown. */
function readMeaning(name: string, { types, args }: EntryFunction): FunctionMeaning | undefined {
  const known = knownFunction(name)
  if (known?.types !== types.length) return undefined
  return unlessRefused(() => {
    const reader = argumentReader(args)
    const meaning = known.read(reader, types)
    reader.end()
    return meaning
  })
}

function describeMeaning(
  method: string,
  { effects, args }: FunctionMeaning,
  scope: TransactionScope,
): Described {
  const { chain, address } = scope
  const actions = effects.map(({ isObject, ...effect }): Action => {
    const asset = effect.asset === null || isObject ? effect.asset : assetId(effect.asset, chain)
    const amountDisplay = isObject ? null : assetDisplay(effect.amount, asset, chain)
    return { ...effect, asset, from: address, amountDisplay, method, args: args ?? null }
  })
  const isUnknown = effects.some(({ kind }) => kind === 'unknown')
  return { title: titleOf(method, actions), actions, warnings: isUnknown ? [storeWarning] : [] }
}

function titleOf(method: string, actions: readonly Action[]): string {
  const [first] = actions
  if (first?.kind !== 'transfer') return `Call ${method}`
  const verb = method.includes('stake') ? 'Stake' : 'Send'
  if (actions.length > 1) return `${verb} to ${actions.length} recipients`
  return `${verb} ${first.amountDisplay ?? 'a token'}`
}

function describeAuthority(
  method: string,
  warning: string,
  call: EntryFunction,
  { address }: TransactionScope,
): Described {
  // Both offers end with whom they are made to.
  const last = call.args.at(-1)
  const to = call.name.startsWith('offer_') && last?.length === 32 ? toHex0x(last) : null
  const action = { ...nothing, kind: 'admin', from: address, to: to ?? '0x1', method } as const
  return {
    title: `Change authority: ${method}`,
    actions: [{ ...action, args: rawArguments(call) }],
    warnings: [warning],
  }
}

function describeMultisig(
  account: Uint8Array,
  call: EntryFunction | null,
  scope: TransactionScope,
): Described {
  const method = call ? `${call.module}::${call.name}` : 'the stored proposal'
  const args = { account: toHex0x(account), ...(call && rawArguments(call)) }
  const described = unknownCall(method, toHex0x(account), args, scope)
  return { ...described, title: 'Run a transaction of a multisig account', warnings: [multisigWarning] }
}

function unknownCall(
  method: string,
  to: string | null,
  args: Record<string, string>,
  { address }: TransactionScope,
): Described {
  const action = { ...nothing, kind: 'unknown', from: address, to, method, args } as const
  return { title: `Unknown function ${method}`, actions: [action], warnings: [unknownWarning] }
}

function rawArguments({ types, args }: EntryFunction): Record<string, string> {
  return namedArguments(types, args.map(excerptHex))
}

function namedArguments(types: readonly string[], args: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {}
  for (const [index, type] of types.entries()) named[`type${index}`] = type
  for (const [index, value] of args.entries()) named[`arg${index}`] = value
  return named
}

function signerWarnings(count: number): string[] {
  if (count === 0) return []
  return [
    `The function also acts for ${count} other ${count === 1 ? 'account' : 'accounts'}, which must sign too.`,
  ]
}
