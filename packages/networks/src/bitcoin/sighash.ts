import { sha256 } from '#sha2'
import { concat, join } from '../codec/concat.ts'
import type { SigningDigest } from '../signature.ts'
import { littleEndian32, sized } from './compact-size.ts'
import { doubleSha256 } from './raw-transaction.ts'
import type { Spend, SpendInput } from './spend.ts'
import { taggedHash } from './tagged-hash.ts'

type Digest = (input: SpendInput, index: number, outpoint: Uint8Array, sequence: Uint8Array) => Uint8Array

/** Neither a script nor an annex (BIP-341, `spend_type`). */
const keyPath = Uint8Array.of(0)
const hashTypeAll = littleEndian32(1)

/** The digests of all inputs that the wallet signs, in their order: BIP-143 for P2WPKH, BIP-341 for taproot. */
export function spendDigests(spend: Spend): SigningDigest[] {
  const { transaction, inputs } = spend
  const outpoints = hashOf(transaction.inputs.map(({ outpoint }) => outpoint))
  const sequences = hashOf(transaction.inputs.map(({ sequence }) => sequence))
  const paid = hashOf(transaction.outputs.map(({ bytes }) => bytes))
  const isSignedAs = (kind: 'p2wpkh' | 'p2tr') =>
    inputs.some(({ owner, isSigned }) => isSigned && owner === kind)
  const plain = isSignedAs('p2wpkh') ? plainDigest(spend, outpoints, sequences, paid) : undefined
  const taproot = isSignedAs('p2tr') ? taprootDigest(spend, outpoints, sequences, paid) : undefined

  const digests: SigningDigest[] = []
  for (const [index, { outpoint, sequence }] of transaction.inputs.entries()) {
    const input = inputs[index]
    if (!input?.isSigned) continue
    const [digest, scheme] =
      input.owner === 'p2tr' ? ([taproot, 'taproot'] as const) : ([plain, 'plain'] as const)
    if (digest) digests.push({ payload: digest(input, index, outpoint, sequence), scheme })
  }
  return digests
}

function plainDigest(
  { transaction: { version, lockTime } }: Spend,
  outpoints: Uint8Array,
  sequences: Uint8Array,
  paid: Uint8Array,
): Digest {
  const before = concat(version, sha256(outpoints), sha256(sequences))
  const after = concat(sha256(paid), lockTime, hashTypeAll)
  return (input, _index, outpoint, sequence) =>
    doubleSha256(concat(before, outpoint, scriptCode(input), amountBytes(input), sequence, after))
}

function taprootDigest(
  { transaction: { version, lockTime }, inputs }: Spend,
  outpoints: Uint8Array,
  sequences: Uint8Array,
  paid: Uint8Array,
): Digest {
  const amounts = hashOf(inputs.map(amountBytes))
  const scripts = hashOf(inputs.map(({ previous }) => sized(previous.script)))
  const message = concat(version, lockTime, outpoints, amounts, scripts, sequences, paid, keyPath)
  return ({ hashType }, index) =>
    taggedHash('TapSighash', Uint8Array.of(0, hashType), message, littleEndian32(index))
}

function amountBytes({ previous }: SpendInput): Uint8Array {
  return previous.bytes.subarray(0, 8)
}

function hashOf(parts: readonly Uint8Array[]): Uint8Array {
  return sha256(join(parts))
}

/** P2PKH's script of the key hash, with its length (BIP-143). */
function scriptCode({ previous }: SpendInput): Uint8Array {
  const hash = previous.script.subarray(2)
  return concat(Uint8Array.of(0x19, 0x76, 0xa9, 0x14), hash, Uint8Array.of(0x88, 0xac))
}
