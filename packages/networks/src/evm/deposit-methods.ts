import type { Chain } from '../chain.ts'
import { toHex } from '../codec/hex.ts'
import type { Action, Decoded } from '../effect.ts'
import { nativeDisplay } from '../preview/amount-display.ts'
import { type AbiReader, readCallData } from './abi-reader.ts'
import { entryPoint } from './entry-point.ts'
import { methodTable } from './method-table.ts'

type Scope = { readonly chain: Chain; readonly address: string }
type Method = { readonly argumentCount: number; readonly read: Read }
type Read = (reader: AbiReader, scope: Scope) => Decoded

/** What an account can do with its own deposit at the EntryPoint v0.7, and anybody with that of others: pay in. */
const depositMethods: ReadonlyMap<string, Method> = methodTable({
  'withdrawTo(address,uint256)': {
    read: (reader: AbiReader, scope: Scope) => withdrawal(reader, scope, 'withdrawTo'),
  },
  'depositTo(address)': { read: deposit },
})

/** Whether call data has the selector of such a method, whatever its arguments are. */
export function isDepositMethod(data: Uint8Array): boolean {
  return depositMethods.has(toHex(data.subarray(0, 4)))
}

/** What a call of the EntryPoint does to the account's deposit, or `undefined` where that is not known. */
export function decodeDepositMethod(data: Uint8Array, scope: Scope): Decoded | undefined {
  const method = depositMethods.get(toHex(data.subarray(0, 4)))
  return method && readCallData(data, method.argumentCount, (reader) => method.read(reader, scope))
}

/** Taking back native asset that lies as a deposit for gas. */
export function withdrawal(reader: AbiReader, { chain, address }: Scope, method: string): Decoded {
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

/** Whoever decodes the call describes the value that goes along. */
function deposit(reader: AbiReader, { address }: Scope): Decoded {
  const action: Action = {
    kind: 'call',
    asset: null,
    amount: null,
    amountDisplay: null,
    from: address,
    to: entryPoint,
    method: 'depositTo',
    args: { account: reader.address() },
  }
  return { title: 'Pay in a gas deposit', actions: [action], fee: null, warnings: [] }
}
