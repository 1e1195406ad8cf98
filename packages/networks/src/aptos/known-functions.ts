import type { Effect } from '../effect.ts'
import { invalidPayload } from '../network-error.ts'
import { ownValue } from '../own-value.ts'
import type { ArgumentReader } from './argument-reader.ts'

/** One thing a function does; `from` is the sender, `asset` a coin type or metadata or object address. */
export type FunctionEffect = Omit<Effect, 'from' | 'amount'> & {
  readonly amount: bigint | null
  /** The object itself is what moves: it has no amount to show. */
  readonly isObject?: true
}

/** What a call of a known function means: its effects, and arguments by name. */
export type FunctionMeaning = {
  readonly effects: readonly FunctionEffect[]
  readonly args?: Readonly<Record<string, string>>
}

/** A function of the framework (0x1): how many types it takes, and how its arguments read. */
export type KnownFunction = {
  readonly types: number
  readonly read: (args: ArgumentReader, types: readonly string[]) => FunctionMeaning
}

const nativeCoin = '0x1::aptos_coin::AptosCoin'
const framework = '0x1'

/** Functions of the framework that move or bind assets (aptos-core, framework sources of these modules). */
const functions = {
  'aptos_account::transfer': { types: 0, read: (args) => pay(nativeCoin, args) },
  'aptos_account::fungible_transfer_only': { types: 0, read: (args) => pay(nativeCoin, args) },
  'aptos_account::transfer_coins': { types: 1, read: (args, [coin]) => pay(coin, args) },
  'aptos_account::transfer_fungible_assets': { types: 0, read: (args) => pay(args.address(), args) },
  'aptos_account::batch_transfer': { types: 0, read: (args) => payAll(nativeCoin, args) },
  'aptos_account::batch_transfer_coins': { types: 1, read: (args, [coin]) => payAll(coin, args) },
  'aptos_account::batch_transfer_fungible_assets': { types: 0, read: (args) => payAll(args.address(), args) },
  'coin::transfer': { types: 1, read: (args, [coin]) => pay(coin, args) },
  'primary_fungible_store::transfer': { types: 1, read: (args) => pay(args.address(), args) },
  'object::transfer': { types: 1, read: moveObject },
  'object::transfer_call': { types: 0, read: moveObject },
  'fungible_asset::transfer': { types: 1, read: moveBetweenStores },
  'dispatchable_fungible_asset::transfer': { types: 1, read: moveBetweenStores },
  'delegation_pool::add_stake': { types: 0, read: (args) => pay(nativeCoin, args) },
  'delegation_pool::unlock': { types: 0, read: callOnPool },
  'delegation_pool::reactivate_stake': { types: 0, read: callOnPool },
  'delegation_pool::withdraw': { types: 0, read: callOnPool },
  'stake::add_stake': { types: 0, read: (args) => transfers([[framework, args.u64()]], nativeCoin) },
  'stake::unlock': { types: 0, read: callWithAmount },
  'stake::reactivate_stake': { types: 0, read: callWithAmount },
  'stake::withdraw': { types: 0, read: callWithAmount },
  'stake::increase_lockup': { types: 0, read: () => call() },
  'coin::migrate_to_fungible_store': { types: 1, read: (_, [coin = '']) => call({ coin }) },
  'managed_coin::register': { types: 1, read: (_, [coin = '']) => call({ coin }) },
  'aptos_account::create_account': { types: 0, read: (args) => call({ account: args.address() }) },
  'aptos_account::set_allow_direct_coin_transfers': {
    types: 0,
    read: (args) => call({ allow: String(args.flag()) }),
  },
} satisfies Readonly<Record<string, KnownFunction>>

/** The functions whose meaning is known, by module and name. */
export type KnownFunctionName = keyof typeof functions

/** The meaning of a framework function by module and name, or `undefined`. */
export function knownFunction(name: string): KnownFunction | undefined {
  return ownValue<KnownFunction>(functions, name)
}

function pay(asset: string | undefined, args: ArgumentReader): FunctionMeaning {
  return transfers([[args.address(), args.u64()]], asset)
}

function payAll(asset: string | undefined, args: ArgumentReader): FunctionMeaning {
  const recipients = args.addresses()
  const amounts = args.u64s()
  if (recipients.length === 0 || recipients.length !== amounts.length)
    throw invalidPayload('Recipients and amounts do not match.')
  return transfers(
    recipients.map((recipient, index) => [recipient, amounts[index] ?? 0n]),
    asset,
  )
}

function transfers(payments: readonly (readonly [string, bigint])[], asset = ''): FunctionMeaning {
  return { effects: payments.map(([to, amount]) => ({ kind: 'transfer', asset, amount, to })) }
}

/** Ownership of an object: a digital asset, a store, a whole vault. */
function moveObject(args: ArgumentReader): FunctionMeaning {
  const asset = args.address()
  return { effects: [{ kind: 'transfer', asset, amount: 1n, to: args.address(), isObject: true }] }
}

/** The stores are named, not what they hold: the effect stays unknown. */
function moveBetweenStores(args: ArgumentReader): FunctionMeaning {
  const named = { from_store: args.address(), to_store: args.address(), amount: args.u64().toString() }
  return { effects: [{ kind: 'unknown', asset: null, amount: null, to: framework }], args: named }
}

function callOnPool(args: ArgumentReader): FunctionMeaning {
  const pool = args.address()
  return call({ amount: args.u64().toString() }, pool)
}

function callWithAmount(args: ArgumentReader): FunctionMeaning {
  return call({ amount: args.u64().toString() })
}

function call(args: Record<string, string> = {}, to = framework): FunctionMeaning {
  return { effects: [{ kind: 'call', asset: null, amount: null, to }], args }
}
