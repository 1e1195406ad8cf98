import { encodeDelegateAction, encodeTransaction } from '@near-js/transactions'
import { Keypair } from '@stellar/stellar-base'
import fc from 'fast-check'
import { expect } from 'vitest'
import { accountAddress as aptosAddress } from '../aptos/address.ts'
import { toHex } from '../codec/hex.ts'
import { accountAddress as cosmosAddress } from '../cosmos/address.ts'
import type { Effect } from '../effect.ts'
import type { SignIntent } from '../intent/intent.ts'
import { NetworkError } from '../network-error.ts'
import { chainAddress, chainByHandle, decodeForAgent, decodeIntentEffects } from '../testing/by-intent.ts'
import { mutated } from '../testing/mutated.fuzz.ts'
import { testKey } from '../testing/oracle-signer.ts'
import { aptosBytes, randomAptos } from '../testing/random-aptos.fuzz.ts'
import { randomCosmos } from '../testing/random-cosmos.fuzz.ts'
import { randomNearDelegate, randomNearTransaction } from '../testing/random-near-transaction.fuzz.ts'
import { sampleKeys, samplePsbt } from '../testing/random-psbt.fuzz.ts'
import { randomSolanaTransaction } from '../testing/random-solana-transaction.fuzz.ts'
import { randomStellar } from '../testing/random-stellar.fuzz.ts'
import { randomTron, tronBytes } from '../testing/random-tron.fuzz.ts'
import { wireBytes } from '../testing/solana-transaction.ts'
import { accountAddress as tronAddress } from '../tron/address.ts'

const secp = testKey('secp256k1', 1).publicKey
const edwards = testKey('ed25519', 1).publicKey
const cosmosOwn = cosmosAddress('cosmos', secp)
const nearAccounts = [toHex(edwards), 'alice.near']

/** A transaction and the key of its wallet. */
export type Sample = readonly [bytes: Uint8Array, publicKey: Uint8Array]

const withKey = (bytes: fc.Arbitrary<Uint8Array>, key: Uint8Array) => bytes.map((some): Sample => [some, key])
const stellarOwn = Keypair.fromRawEd25519Seed(Buffer.from(testKey('ed25519', 1).privateKey)).publicKey()

/** Valid transactions of a wallet, by chain. */
const samples = {
  bitcoin: fc.nat(500).map((index): Sample => {
    return [samplePsbt(index, index % 3 === 0).psbt, sampleKeys(index).wallet.publicKey]
  }),
  tron: withKey(randomTron(toHex(tronAddress(secp))).map(tronBytes), secp),
  cosmoshub: withKey(
    randomCosmos(secp, cosmosOwn, 'cosmos', 'cosmoshub-4').map(({ bytes }) => bytes),
    secp,
  ),
  solana: withKey(randomSolanaTransaction.map(wireBytes), edwards),
  near: withKey(
    fc.oneof(
      randomNearTransaction(edwards, nearAccounts).map((transaction) => encodeTransaction(transaction)),
      randomNearDelegate(edwards, nearAccounts).map((delegate) => encodeDelegateAction(delegate)),
    ),
    edwards,
  ),
  aptos: withKey(randomAptos(aptosAddress(edwards), 1).map(aptosBytes), edwards),
  stellar: withKey(
    randomStellar(stellarOwn).map((transaction) => Uint8Array.from(transaction.toEnvelope().toXDR())),
    edwards,
  ),
} as const

/** The chains that have rounds. */
export const chainsOfRounds = Object.keys(samples) as (keyof typeof samples)[]

/** Some valid transactions of a chain, the same in every run. */
export function validTransactions(handle: keyof typeof samples, numRuns: number): readonly Sample[] {
  return fc.sample<Sample>(samples[handle], { numRuns, seed: 11 })
}

/**
 * Valid and mutated transactions of a chain are refused with `NetworkError`, are a trap, or come with effects that hold at least
 * what a preview shows to leave, and none of what it calls administration or unknown.
 */
export function agentRounds(handle: keyof typeof samples, numRuns: number, seed?: number): void {
  const chain = chainByHandle(handle)
  if (chain === undefined) throw new Error('there is such a chain')
  const seeded = seed !== undefined && { seed }
  const pool = fc.sample<Sample>(samples[handle], { numRuns: Math.min(50 + numRuns / 20, 1000), ...seeded })
  const valid = fc.constantFrom(...pool)
  const changed = valid.chain(([bytes, key]) =>
    mutated(fc.constant(bytes)).map((some): Sample => [some, key]),
  )
  let evaluated = 0
  fc.assert(
    fc.property(fc.oneof(valid, changed), ([bytes, publicKey]) => {
      const intent = { kind: 'transaction', network: chain.network, chain: handle, bytes } as const
      if (isEvaluated(intent, publicKey)) evaluated++
    }),
    { numRuns, ...seeded },
  )
  expect(evaluated).toBeGreaterThan(numRuns / 100)
}

function isEvaluated(intent: Extract<SignIntent, { kind: 'transaction' }>, publicKey: Uint8Array): boolean {
  const chain = chainByHandle(intent.chain)
  if (chain === undefined) throw new Error('there is such a chain')
  const read = unlessRefused(() => decodeForAgent(intent, chain.curve, publicKey))
  if (read === undefined || read.trap !== null) return false
  const own = chainAddress(chain, publicKey)
  const { actions } = decodeIntentEffects(intent, chain.curve, publicKey, own)
  const kinds = actions.map(({ kind }) => kind)
  expect(kinds).not.toContain('admin')
  const isCall = ({ kind }: Effect) => kind === 'call' || kind === 'unknown'
  if (kinds.includes('unknown')) expect(read.effects.some(isCall)).toBe(true)
  const leaving = actions.filter(({ to, kind, method, asset }) => {
    const isNativeFee = method === 'fee' && asset === chain.nativeAsset.symbol
    // What an account of Stellar trusts it may hold; nobody may take it.
    const isTrust = intent.network === 'stellar' && kind === 'approval' && method === 'change_trust'
    return to !== own && !isNativeFee && !isTrust
  })
  const counted = sums(read.effects)
  for (const [asset, amount] of sums(leaving)) expect(counted.get(asset) ?? 0n).toBeGreaterThanOrEqual(amount)
  return true
}

function sums(effects: readonly Effect[]): Map<string, bigint> {
  const sum = new Map<string, bigint>()
  for (const { kind, asset, amount } of effects) {
    if (asset === null || amount === null || (kind !== 'transfer' && kind !== 'approval')) continue
    sum.set(asset, (sum.get(asset) ?? 0n) + amount)
  }
  return sum
}

function unlessRefused<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch (error) {
    expect(error).toBeInstanceOf(NetworkError)
    return undefined
  }
}
