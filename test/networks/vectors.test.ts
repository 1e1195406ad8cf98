import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { type Chain, type Network, NetworkError, networks } from '@symbolon/networks'
import { byBytes, chainByHandle } from '@symbolon/networks/testing/by-intent'
import { vectorJson, vectorText } from '@symbolon/networks/testing/vectors'

const [evm, bitcoin, cosmos, near, solana] = ['evm', 'bitcoin', 'cosmos', 'near', 'solana'].map((name) => {
  const network = networks.byName(name)
  if (network === undefined) throw new Error(`${name} is a network`)
  return network
}) as [Network, Network, Network, Network, Network]

import { expect, test } from 'vitest'

/** Each file with transactions: how they conform. Answers how many there were. */
const conformance: Readonly<Record<string, (file: string) => number>> = {
  'ethereum/ethers_transactions_a.json': evmTransactions,
  'bitcoin/bip341_wallet-test-vectors.json': taprootOutputs,
  'chains/cosmos_direct_sign.json': cosmosTransactions,
  'chains/near_transactions.json': nearTransactions,
  'chains/solana_web3js_wire.json': solanaTransactions,
}
const files = Object.keys(conformance)
const found = files.filter((file) => vectorText(file) !== undefined)

test('the third-party vectors are there as a whole, or not at all', () => {
  expect(found).toEqual(found.length === 0 ? [] : files)
})

for (const file of found) {
  test(`the transactions of ${file} are decoded, digested and assembled as there`, () => {
    expect(conformance[file]?.(file)).toBeGreaterThan(0)
  })
}

function evmTransactions(file: string): number {
  type Form = 'Legacy' | 'Eip155' | 'Berlin' | 'London'
  type Case = Partial<Record<`${'unsigned' | 'signed'}${Form}`, string>> & {
    transaction: { chainId?: string; maxFeePerGas?: string; maxPriorityFeePerGas?: string }
    privateKey: string
  }
  let count = 0
  for (const { transaction, privateKey, ...given } of json<Case[]>(file)) {
    const key = hex(privateKey)
    const publicKey = secp256k1.getPublicKey(key, true)
    const chain = { ...chainOf('ethereum'), chainId: Number(transaction.chainId ?? 0) }
    // The random fees of some cases pay the miner more than there is to pay; ethers signs them all the same.
    const { maxFeePerGas = '0x0', maxPriorityFeePerGas = '0x0' } = transaction
    const isPayable = BigInt(maxPriorityFeePerGas) <= BigInt(maxFeePerGas)
    for (const form of ['Eip155', 'Berlin', 'London'] as const) {
      const unsigned = given[`unsigned${form}`]
      if (unsigned === undefined || transaction.chainId === undefined) continue
      if (form === 'London' && !isPayable) {
        expect(() => digestOf(evm, hex(unsigned), chain, publicKey)).toThrow(NetworkError)
        continue
      }
      const digest = digestOf(evm, hex(unsigned), chain, publicKey)
      const [recovery = 0, ...signature] = secp256k1.sign(digest, key, {
        prehash: false,
        format: 'recovered',
      })
      const signed = { signature: Uint8Array.from(signature), recovery, publicKey }
      expect(assembled(evm, hex(unsigned), chain, signed)).toBe(given[`signed${form}`])
      count++
    }
    const { unsignedLegacy } = given
    // Without a chain id it could be sent on any chain.
    if (unsignedLegacy !== undefined)
      expect(() => digestOf(evm, hex(unsignedLegacy), chain, publicKey)).toThrow(NetworkError)
  }
  return count
}

/** Only outputs without scripts can be a wallet's (BIP-86). */
function taprootOutputs(file: string): number {
  type Case = {
    given: { internalPubkey: string; scriptTree: unknown }
    expected: { bip350Address: string }
  }
  const cases = json<{ scriptPubKey: Case[] }>(file).scriptPubKey.filter(
    ({ given }) => given.scriptTree === null,
  )
  for (const { given, expected } of cases) {
    const publicKey = Uint8Array.of(2, ...hex(given.internalPubkey))
    expect(bitcoin.addresses(publicKey)['bitcoin_taproot']).toBe(expected.bip350Address)
  }
  return cases.length
}

function cosmosTransactions(file: string): number {
  type Vectors = {
    faucet: { pubkey: { value: string } }
    testVectors: { outputs: { signBytes: string; signature: string; signedTxBytes: string } }[]
  }
  const { faucet, testVectors } = json<Vectors>(file)
  const publicKey = Uint8Array.from(Buffer.from(faucet.pubkey.value, 'base64'))
  const chain = { ...chainOf('cosmoshub'), chainId: 'simd-testing' }
  for (const { outputs } of testVectors) {
    const [bytes, signature] = [hex(outputs.signBytes), hex(outputs.signature)]
    expect(digestOf(cosmos, bytes, chain, publicKey)).toEqual(sha256(bytes))
    const raw = assembled(cosmos, bytes, chain, { signature, recovery: 0, publicKey })
    expect(raw).toBe(Buffer.from(hex(outputs.signedTxBytes)).toString('base64'))
  }
  return testVectors.length
}

function nearTransactions(file: string): number {
  type Vectors = { files: Record<string, { type: string; data: string }> }
  const entries = Object.values(json<Vectors>(file).files)
  const chain = chainOf('near')
  for (const { type, data } of entries) {
    const whole = hex(data)
    const isSigned = type === 'SignedTransaction'
    const bytes = isSigned ? whole.subarray(0, -65) : whole
    // The key stands behind the signer's name and its own kind.
    const nameLength = Buffer.from(bytes).readUInt32LE(0)
    const publicKey = bytes.subarray(nameLength + 5, nameLength + 37)
    // One has a signer without a name, which no account has.
    if (nameLength === 0) {
      expect(() => digestOf(near, bytes, chain, publicKey)).toThrow(NetworkError)
      continue
    }
    const digest = digestOf(near, bytes, chain, publicKey)
    expect(digest).toEqual(sha256(bytes))
    if (!isSigned) continue
    const signature = whole.subarray(-64)
    expect(ed25519.verify(signature, digest, publicKey)).toBe(true)
    const signed = assembled(near, bytes, chain, { signature, recovery: 0, publicKey })
    expect(signed).toBe(Buffer.from(whole).toString('base64'))
  }
  return entries.length
}

/** The wire transaction in web3.js's own test; its key is that of 32 bytes of 8. */
function solanaTransactions(file: string): number {
  const excerpt = json<Record<string, string>>(file)['wire_test_source_excerpt'] ?? ''
  const wires = [...excerpt.matchAll(/'([A-Za-z0-9+/]{200,}={0,2})'/g)].map(([, wire = '']) => wire)
  const key = new Uint8Array(32).fill(8)
  const publicKey = ed25519.getPublicKey(key)
  for (const wire of wires) {
    const bytes = Uint8Array.from(Buffer.from(wire, 'base64'))
    const signature = ed25519.sign(digestOf(solana, bytes, chainOf('solana'), publicKey), key)
    const signed = { signature, recovery: 0, publicKey }
    expect(assembled(solana, bytes, chainOf('solana'), signed)).toBe(wire)
  }
  return wires.length
}

function digestOf(
  { transaction }: Network,
  bytes: Uint8Array,
  chain: Chain,
  publicKey: Uint8Array,
): Uint8Array {
  return byBytes(transaction).digest(bytes, { chain, publicKey })
}

/** The signed form, after a look at the effects. */
function assembled(
  network: Network,
  bytes: Uint8Array,
  chain: Chain,
  { signature, recovery, publicKey }: { signature: Uint8Array; recovery: number; publicKey: Uint8Array },
): unknown {
  const transactions = byBytes(network.transaction)
  const scope = { chain, publicKey, address: network.addresses(publicKey)[chain.addressName] ?? '' }
  expect(transactions.decode(bytes, scope).actions.length).toBeGreaterThan(0)
  return transactions.assemble(bytes, scope, [{ signature, recovery }]).signed_transaction
}

function json<shape>(file: string): shape {
  const given = vectorJson<shape>(file)
  if (given === undefined) throw new Error(`${file} is missing`)
  return given
}

function chainOf(handle: string): Chain {
  const chain = chainByHandle(handle)
  if (!chain) throw new Error(`${handle} is not a chain`)
  return chain
}

function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'))
}
