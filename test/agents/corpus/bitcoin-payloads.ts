import { p2tr, p2wpkh, Script, Transaction } from '@scure/btc-signer'
import { testKey } from '@symbolon/networks/testing/oracle-signer'
import { session } from './transaction-cases.ts'

export const wallet = testKey('secp256k1', 1).publicKey
export const friend = testKey('secp256k1', 2).publicKey
export const own = p2wpkh(wallet)
export const ownTaproot = p2tr(wallet.slice(1))
export const other = p2wpkh(friend)
export const otherTaproot = p2tr(friend.slice(1))
export const friendAddress = other.address ?? ''
export const friendTestAddress =
  p2wpkh(friend, { bech32: 'tb', pubKeyHash: 111, scriptHash: 196, wif: 239 }).address ?? ''

export type Coin = {
  script?: Uint8Array
  amount?: bigint
  isProven?: boolean
  sighash?: number
  isUnknown?: true
}
export type Output = readonly [script: Uint8Array, amount: bigint]

/** A PSBT of coins (100,000 satoshi of the wallet's unless said) and outputs. */
export function psbt(coins: readonly Coin[], outputs: readonly Output[], version: 0 | 2 = 0): Uint8Array {
  const transaction = new Transaction({ PSBTVersion: version, allowUnknownOutputs: true, version: 2 })
  for (const [at, coin] of coins.entries()) {
    const { script = own.script, amount = 100_000n, isProven = coins.length > 1, sighash, isUnknown } = coin
    const previous = new Transaction({ allowUnknownOutputs: true })
    previous.addInput({ txid: new Uint8Array(32).fill(at + 1), index: at })
    previous.addOutput({ script, amount })
    transaction.addInput({
      txid: previous.id,
      index: 0,
      ...(!isUnknown && { witnessUtxo: { script, amount } }),
      ...(isProven && !isUnknown && { nonWitnessUtxo: previous.unsignedTx }),
      ...(sighash !== undefined && { sighashType: sighash }),
    })
  }
  for (const [script, amount] of outputs) transaction.addOutput({ script, amount })
  return transaction.toPSBT(version)
}

export const pay = (amount: bigint, script = other.script): Output => [script, amount]
export const change = (amount: bigint, script = own.script): Output => [script, amount]
export const data = (amount: bigint, text = 'hello'): Output => [
  Script.encode(['RETURN', new TextEncoder().encode(text)]),
  amount,
]
export const toFriend = session({ allowed_recipients: [friendAddress] })
export const capped = session({ max_spend_per_tx_native: '50000', max_fee_per_tx_native: '2000' })
export const withData = session({ allowed_contracts: [{ chain: 'bitcoin', address: 'OP_RETURN' }] })
export const cost = (amount: bigint) => ({ 'native BTC/8': amount, transactions: 1n })

/** One field of an input of a PSBT: its type, and its value; without one, the field is left out. */
export type PsbtEdit = readonly [type: number, value?: Uint8Array]

/** A PSBT of version 0 with other fields in one of its inputs: what btc-signer itself would not write. */
export function edited(bytes: Uint8Array, at: number, edits: readonly PsbtEdit[]): Uint8Array {
  let offset = 5
  for (let map = 0; map <= at; map++) while (bytes[offset++] !== 0) offset = fieldAt(bytes, offset - 1).end
  const kept: Uint8Array[] = []
  let end = offset
  while (bytes[end] !== 0) {
    const field = fieldAt(bytes, end)
    if (!edits.some(([type]) => type === field.type)) kept.push(bytes.slice(end, field.end))
    end = field.end
  }
  const added = edits.flatMap(([type, value]) =>
    value === undefined ? [] : [Uint8Array.of(1, type, ...sized(value))],
  )
  return Uint8Array.of(
    ...bytes.slice(0, offset),
    ...[...kept, ...added].flatMap((field) => [...field]),
    ...bytes.slice(end),
  )
}

/** The value of a field of an input of a PSBT of version 0. */
export function fieldOf(bytes: Uint8Array, at: number, type: number): Uint8Array {
  let offset = 5
  for (let map = 0; map <= at; map++) while (bytes[offset++] !== 0) offset = fieldAt(bytes, offset - 1).end
  for (; bytes[offset] !== 0; offset = fieldAt(bytes, offset).end) {
    const { type: found, value } = fieldAt(bytes, offset)
    if (found === type) return value
  }
  throw new Error(`Input ${at} has no field ${type}.`)
}

function fieldAt(bytes: Uint8Array, start: number) {
  const key = size(bytes, start)
  const value = size(bytes, key.next + key.length)
  const end = value.next + value.length
  return { type: bytes[key.next], value: bytes.slice(value.next, end), end }
}

function size(bytes: Uint8Array, at: number): { length: number; next: number } {
  const first = bytes[at] ?? 0
  if (first < 0xfd) return { length: first, next: at + 1 }
  return { length: (bytes[at + 1] ?? 0) | ((bytes[at + 2] ?? 0) << 8), next: at + 3 }
}

const sized = (value: Uint8Array) =>
  value.length < 0xfd ? [value.length, ...value] : [0xfd, value.length & 0xff, value.length >> 8, ...value]
