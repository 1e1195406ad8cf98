import { toHex } from '../../codec/hex.ts'
import { invalidPayload } from '../../network-error.ts'
import type { AgentEffect } from '../../policy/agent-decoded.ts'
import { type AbiReader, readCallData } from '../abi-reader.ts'
import { addressOf } from '../account-executions.ts'
import { checksumAddress } from '../address.ts'
import type { MethodCall } from '../known-method.ts'
import { methodTable } from '../method-table.ts'

/**
 * Tokens that a call takes; `token` is the called contract's own where it is not named, `to` nobody but that contract. Where no token is
 * taken, the amount is null: whoever gets something is named all the same.
 */
type Taken = {
  readonly amount: bigint | null
  readonly token?: string
  readonly to?: string
  /** Another contract that the call names decides who gets the tokens in the end. */
  readonly isPartial?: boolean
}
type Form = { read(reader: AbiReader, call: MethodCall): readonly Taken[] }

/** ETH of rollups as a token of their bridge: it is sent along with the call, and counted so. */
const legacyEther = `0x${'dead'.repeat(9)}0000`

/**
 * What a call of an allowed contract takes of tokens without being a transfer or an approval: shares, wrapped and burnt tokens of the
 * contract itself, tokens that a bridge burns or pulls. Nothing is taken by what only pays in. Each effect is a call of the
 * contract, with the tokens taken and, as `to`, who gets what they stand for, if that is not the sender. `undefined`: the method is not
 * known, or its arguments are not in their canonical encoding: `isTokenCallMethod` tells them apart.
 */
export function readTokenCall(data: Uint8Array, call: MethodCall): readonly AgentEffect[] | undefined {
  const selector = toHex(data.subarray(0, 4))
  const form = forms.get(selector)
  const taken = form && readCallData(data, form.argumentCount, (reader) => form.read(reader, call))
  if (taken === undefined) return undefined
  const { contract, sender } = call
  const made = { kind: 'call', from: sender, isNative: false, contract, selector: `0x${selector}` } as const
  if (taken.length === 0) return [{ ...made, asset: null, amount: null, to: contract }]
  return taken.map(({ amount, token = contract, to = sender, isPartial = false }) => ({
    ...made,
    // What goes to the contract itself is anybody's.
    ...((isPartial || to === contract) && { kind: 'unknown' }),
    asset: amount === null ? null : token,
    amount,
    to: to === sender ? contract : to,
  }))
}

/** Whether call data has the selector of such a method, whatever its arguments are. */
export function isTokenCallMethod(data: Uint8Array): boolean {
  return forms.has(toHex(data.subarray(0, 4)))
}

const own: Form = { read: (reader) => [{ amount: reader.uint() }] }
/** ERC-777 and its like; some contracts read in the bytes who gets what the tokens stand for. */
const ownWithBytes: Form = {
  read(reader) {
    const amount = reader.uint()
    return [{ amount, isPartial: reader.bytes().length > 0 }]
  },
}
const ofHolder: Form = {
  read(reader) {
    reader.address()
    return [{ amount: reader.uint() }]
  },
}
const toOther: Form = { read: (reader) => [{ to: reader.address(), amount: reader.uint() }] }
const payIn: Form = {
  read(reader) {
    reader.uint()
    reader.address()
    return []
  },
}
const toMany: Form = {
  read(reader) {
    const [accounts, amounts] = [reader.uints(), reader.uints()]
    if (accounts.length !== amounts.length) throw invalidPayload('The lists differ in length.')
    return accounts.map((account, index) => ({
      to: checksumAddress(addressOf(account)),
      amount: amounts[index] ?? 0n,
    }))
  },
}
const alikeToMany: Form = {
  read(reader) {
    const accounts = reader.uints()
    const amount = reader.uint()
    return accounts.map((account) => ({ to: checksumAddress(addressOf(account)), amount }))
  },
}

/** Bridges of rollups: the token, on the other chain the token that stands for it, the account there, amount, gas and data. */
const bridged = (hasOtherToken: boolean, hasAccount: boolean): Form => ({
  read(reader) {
    const token = reader.address()
    if (hasOtherToken) reader.address()
    const to = hasAccount ? { to: reader.address() } : {}
    const moved = reader.uint()
    reader.uint(32)
    reader.bytes()
    const amount = token.toLowerCase() === legacyEther ? null : moved
    // Tokens are kept for those who hold the other token, which may be anybody's.
    return [{ token, amount, ...to, isPartial: hasOtherToken }]
  },
})

const table: Readonly<Record<string, Form>> = {
  'deposit()': { read: () => [] },
  'deposit(uint256,address)': payIn,
  'mint(uint256,address)': payIn,
  // Nothing is paid, but the votes are somebody's.
  'delegate(address)': { read: (reader) => [{ amount: null, to: reader.address() }] },
  'burn(uint256)': own,
  'burn(uint256,bytes)': ownWithBytes,
  // Tokens of some lenders pay what the burnt shares stand for to the address; to others it is whose shares are burnt.
  'burn(address,uint256)': toOther,
  'burnFrom(address,uint256)': ofHolder,
  'operatorBurn(address,uint256,bytes,bytes)': {
    read(reader, call) {
      const taken = ofHolder.read(reader, call)
      const isPartial = [reader.bytes(), reader.bytes()].some(({ length }) => length > 0)
      return taken.map((one) => ({ ...one, isPartial }))
    },
  },
  'redeem(uint256)': own,
  'redeem(uint256,address,address)': {
    read(reader) {
      const [amount, to] = [reader.uint(), reader.address()]
      reader.address()
      return [{ amount, to }]
    },
  },
  'unwrap(uint256)': own,
  'withdraw(uint256)': own,
  'withdrawTo(address,uint256)': toOther,
  'batchTransfer(address[],uint256[])': toMany,
  'batchTransfer(address[],uint256)': alikeToMany,
  'multiTransfer(address[],uint256[])': toMany,
  'withdraw(address,uint256,uint32,bytes)': bridged(false, false),
  'withdrawTo(address,address,uint256,uint32,bytes)': bridged(false, true),
  'bridgeERC20(address,address,uint256,uint32,bytes)': bridged(true, false),
  'bridgeERC20To(address,address,address,uint256,uint32,bytes)': bridged(true, true),
  'depositERC20(address,address,uint256,uint32,bytes)': bridged(true, false),
  'depositERC20To(address,address,address,uint256,uint32,bytes)': bridged(true, true),
}

/** The methods that are read here. */
export const tokenCallSignatures: readonly string[] = Object.keys(table)

const forms = methodTable(table)
