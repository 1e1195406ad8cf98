import { nativeDisplay } from '../amount-display.ts'
import type { Chain } from '../chains.ts'
import { toHex, toHex0x } from '../hex.ts'
import type { Action, Decoded } from '../network.ts'
import { type AbiReader, readCallData } from './abi-reader.ts'
import { selectorOf } from './selector.ts'

type Scope = { readonly chain: Chain; readonly address: string }
type Method = { readonly argumentCount: number; read(reader: AbiReader, scope: Scope): Decoded }

/** What a call of the account itself can do to it, where it is not a further call (Light Account v2.0.0). */
const accountMethods: ReadonlyMap<string, Method> = bySelector({
  'transferOwnership(address)': (reader, scope) => {
    const args = { new_owner: reader.address() }
    return takeover(scope, 'Hand over this account', 'transferOwnership', args, {
      to: args.new_owner,
      warning: `${args.new_owner} becomes the owner of this account and all it holds.`,
    })
  },
  'upgradeToAndCall(address,bytes)': (reader, scope) => {
    const args = { implementation: reader.address(), data: toHex0x(reader.bytes()) }
    return takeover(scope, 'Change the code of this account', 'upgradeToAndCall', args, {
      to: args.implementation,
      warning: `the code of ${args.implementation} will control this account and all it holds.`,
    })
  },
  'withdrawDepositTo(address,uint256)': (reader, scope) => withdrawal(reader, scope, 'withdrawDepositTo'),
})

/** What the account can do with its own deposit at the EntryPoint v0.7. */
const depositMethods: ReadonlyMap<string, Method> = bySelector({
  'withdrawTo(address,uint256)': (reader, scope) => withdrawal(reader, scope, 'withdrawTo'),
})

/**
 * What an account's call of itself does. Whatever is not known could hand the account over, so that it counts as
 * administration with a warning of a takeover.
 */
export function decodeAccountMethod(data: Uint8Array, scope: Scope): Decoded {
  const selector = data.length < 4 ? null : toHex0x(data.subarray(0, 4))
  return (
    readMethod(accountMethods, data, scope) ??
    takeover(scope, 'Unknown change of this account', selector, null, {
      to: scope.address,
      warning: 'this call of the account itself is unknown and could hand over all it holds.',
    })
  )
}

/** What a call of the EntryPoint does to the account's deposit, or `undefined` where that is not known. */
export function decodeDepositMethod(data: Uint8Array, scope: Scope): Decoded | undefined {
  return readMethod(depositMethods, data, scope)
}

function readMethod(
  methods: ReadonlyMap<string, Method>,
  data: Uint8Array,
  scope: Scope,
): Decoded | undefined {
  const method = methods.get(toHex(data.subarray(0, 4)))
  return method && readCallData(data, method.argumentCount, (reader) => method.read(reader, scope))
}

function takeover(
  { address }: Scope,
  title: string,
  method: string | null,
  args: Action['args'],
  { to, warning }: { to: string; warning: string },
): Decoded {
  const action = { kind: 'admin', asset: null, amount: null, amountDisplay: null, from: address, to } as const
  return {
    title,
    actions: [{ ...action, method, args }],
    fee: null,
    warnings: [`${takeoverStart}${warning}`],
  }
}

/** How every warning of a takeover starts, that of an authorization (EIP-7702) too. */
export const takeoverStart = 'Account takeover: '

function withdrawal(reader: AbiReader, { chain, address }: Scope, method: string): Decoded {
  const to = reader.address()
  const amount = reader.uint()
  const { nativeAsset } = chain
  const action: Action = {
    kind: 'transfer',
    asset: nativeAsset.symbol,
    amount,
    amountDisplay: nativeDisplay(amount, nativeAsset),
    from: address,
    to,
    method,
    args: { to, amount: amount.toString() },
  }
  return { title: 'Withdraw the gas deposit', actions: [action], fee: null, warnings: [] }
}

function bySelector(methods: Readonly<Record<string, Method['read']>>): ReadonlyMap<string, Method> {
  return new Map(
    Object.entries(methods).map(([signature, read]) => {
      const open = signature.indexOf('(')
      const argumentCount = signature.slice(open + 1, -1).split(',').length
      return [selectorOf(signature), { argumentCount, read }]
    }),
  )
}
