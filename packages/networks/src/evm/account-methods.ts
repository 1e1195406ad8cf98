import type { Chain } from '../chain.ts'
import { toHex, toHex0x } from '../codec/hex.ts'
import type { Action, Decoded } from '../effect.ts'
import { type AbiReader, readCallData } from './abi-reader.ts'
import { withdrawal } from './deposit-methods.ts'
import { methodTable } from './method-table.ts'
import { takeoverStart } from './takeover.ts'

type Scope = { readonly chain: Chain; readonly address: string }
type Method = { readonly argumentCount: number; readonly read: Read }
type Read = (reader: AbiReader, scope: Scope) => Decoded

/** What a call of the account itself can do to it, where it is not a further call (Light Account v2.0.0). */
const accountMethods: ReadonlyMap<string, Method> = methodTable({
  'transferOwnership(address)': {
    read(reader: AbiReader, scope: Scope) {
      const args = { new_owner: reader.address() }
      return takeover(scope, 'Hand over this account', 'transferOwnership', args, {
        to: args.new_owner,
        warning: `${args.new_owner} becomes the owner of this account and all it holds.`,
      })
    },
  },
  'upgradeToAndCall(address,bytes)': {
    read(reader: AbiReader, scope: Scope) {
      const args = { implementation: reader.address(), data: toHex0x(reader.bytes()) }
      return takeover(scope, 'Change the code of this account', 'upgradeToAndCall', args, {
        to: args.implementation,
        warning: `the code of ${args.implementation} will control this account and all it holds.`,
      })
    },
  },
  'withdrawDepositTo(address,uint256)': {
    read: (reader: AbiReader, scope: Scope) => withdrawal(reader, scope, 'withdrawDepositTo'),
  },
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
