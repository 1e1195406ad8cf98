import { sha256 } from '@noble/hashes/sha2.js'
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh, SigHash, Transaction } from '@scure/btc-signer'
import { bytesToQuantity } from '../codec/quantity.ts'
import { type TestKey, testKey } from './oracle-signer.ts'

/** A PSBT made with btc-signer, and what btc-signer itself makes of it when it signs with all keys. */
export type SamplePsbt = {
  psbt: Uint8Array
  /** The PSBT's inputs, in their order: whose they are and what they spend. */
  inputs: { owner: 'wallet' | 'other'; kind: 'p2wpkh' | 'p2tr'; script: Uint8Array; amount: bigint }[]
  outputs: { isOwn: boolean; script: Uint8Array; amount: bigint }[]
  fee: bigint
  /** The unsigned transaction. */
  unsigned: Uint8Array
  /** The transaction as btc-signer signs and finalizes it with all keys, and its id. */
  signed(): { final: Uint8Array; id: string }
}

/** The wallet of sample `index`, and who else has inputs in it. */
export function sampleKeys(index: number): { wallet: TestKey; other: TestKey } {
  return { wallet: testKey('secp256k1', index), other: testKey('secp256k1', index + 10_000) }
}

const zeros = new Uint8Array(32)

/** btc-signer's signatures of a key, without auxiliary randomness. */
export function signAsOracle(transaction: Transaction, { privateKey }: TestKey): void {
  transaction.sign(privateKey, [SigHash.ALL, SigHash.DEFAULT], zeros)
}

/** Sample `index` of an endless row, the same in every run; `hasOthers` adds inputs that are not the wallet's. */
export function samplePsbt(index: number, hasOthers = false): SamplePsbt {
  const drawn = draws(`psbt ${index} ${hasOthers}`)
  const { wallet, other } = sampleKeys(index)
  const version = drawn.below(2) === 0 ? 0 : 2
  const transaction = new Transaction({
    PSBTVersion: version,
    allowUnknownOutputs: true,
    lockTime: drawn.below(3) === 0 ? drawn.below(1_000_000_000) : 0,
    version: 2,
  })
  const inputs: SamplePsbt['inputs'] = []
  const count = 1 + drawn.below(1 + drawn.below(4))
  for (let at = 0; at < count + (hasOthers ? 1 + drawn.below(2) : 0); at++) {
    const owner = at < count ? 'wallet' : 'other'
    const kind = drawn.below(2) === 0 ? 'p2wpkh' : 'p2tr'
    const amount = BigInt(20_000 + drawn.below(2_000_000_000))
    const { publicKey } = owner === 'wallet' ? wallet : other
    const { script } = payTo(publicKey, kind)
    addInput(transaction, {
      drawn,
      script,
      amount,
      kind,
      publicKey,
      index: drawn.below(4),
      isProven: hasOthers || count > 1,
    })
    inputs.push({ owner, kind, script, amount })
  }
  const total = inputs.reduce((sum, { amount }) => sum + amount, 0n)
  const fee = BigInt(200 + drawn.below(5_000))
  const outputs: SamplePsbt['outputs'] = []
  let left = total - fee
  for (let more = drawn.below(5); more >= 0; more--) {
    const amount = more === 0 ? left : left / BigInt(2 + drawn.below(5))
    const output = { ...drawOutput(drawn, wallet.publicKey), amount }
    left -= amount
    outputs.push(output)
    transaction.addOutput({ script: output.script, amount })
  }
  const psbt = transaction.toPSBT(version)
  const unsigned = transaction.unsignedTx
  let known: { final: Uint8Array; id: string } | undefined
  const signed = () => {
    if (known) return known
    for (const key of hasOthers ? [wallet, other] : [wallet]) signAsOracle(transaction, key)
    transaction.finalize()
    known = { final: transaction.extract(), id: transaction.id }
    return known
  }
  return { psbt, inputs, outputs, fee, unsigned, signed }
}

/** The output of a key in one of the two forms that the wallet has. */
export function payTo(publicKey: Uint8Array, kind: 'p2wpkh' | 'p2tr'): { script: Uint8Array } {
  return kind === 'p2wpkh' ? p2wpkh(publicKey) : p2tr(publicKey.slice(1))
}

function addInput(
  transaction: Transaction,
  {
    drawn,
    script,
    amount,
    kind,
    publicKey,
    index,
    isProven,
  }: {
    drawn: Draws
    script: Uint8Array
    amount: bigint
    kind: 'p2wpkh' | 'p2tr'
    publicKey: Uint8Array
    index: number
    /** Also a taproot input has its previous transaction. */
    isProven: boolean
  },
): void {
  const previous = new Transaction({ allowUnknownOutputs: true })
  previous.addInput({ txid: drawn.bytes(32), index: 0 })
  for (let at = 0; at < index; at++) previous.addOutput({ script: p2pkh(publicKey).script, amount: 1n })
  previous.addOutput({ script, amount })
  const full = previous.unsignedTx
  const isTaproot = kind === 'p2tr'
  transaction.addInput({
    txid: sha256(sha256(full)).reverse(),
    index,
    sequence: drawn.below(2) === 0 ? 0xffffffff : 0xfffffffd,
    witnessUtxo: { script, amount },
    // ALL is what a P2WPKH signature always has.
    ...(drawn.below(3) === 0 && { sighashType: SigHash.ALL }),
    ...((drawn.below(2) === 0 || !isTaproot || isProven) && { nonWitnessUtxo: full }),
    ...(isTaproot && { tapInternalKey: publicKey.slice(1) }),
  })
}

function drawOutput(drawn: Draws, own: Uint8Array): { isOwn: boolean; script: Uint8Array } {
  const { publicKey } = testKey('secp256k1', 20_000 + drawn.below(1_000))
  const scripts = [
    () => payTo(own, 'p2wpkh').script,
    () => payTo(own, 'p2tr').script,
    () => payTo(publicKey, 'p2wpkh').script,
    () => payTo(publicKey, 'p2tr').script,
    () => p2pkh(publicKey).script,
    () => p2sh(p2wpkh(publicKey)).script,
    () => p2wsh(p2pkh(publicKey)).script,
  ] as const
  const which = drawn.below(scripts.length)
  return { isOwn: which < 2, script: (scripts[which] ?? scripts[0])() }
}

type Draws = { bytes(length: number): Uint8Array; below(bound: number): number }

/** Numbers that look random and are the same for the same seed. */
function draws(seed: string): Draws {
  let count = 0
  const next = () => sha256(new TextEncoder().encode(`${seed} ${count++}`))
  return {
    bytes: (length) => next().slice(0, length),
    below: (bound) => Number(bytesToQuantity(next().subarray(0, 6)) % BigInt(bound)),
  }
}
