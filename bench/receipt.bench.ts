import { randomBytes } from 'node:crypto'
import { keyRing, type SignAnswer } from '@symbolon/crypto/node'
import {
  makeReceiptKey,
  noDecision,
  receiptEffects,
  receiptFacts,
  receiptIssuer,
  secureSlots,
  signerEd25519,
} from '@symbolon/enclave/testing'
import { assembleAnswer, networks, parsePayload, type SignIntent, signingDigests } from '@symbolon/networks'
import { decodeIntent, encodeIntent } from '@symbolon/networks/testing/by-intent'
import { rawSignatures, testKey } from '@symbolon/networks/testing/oracle-signer'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import {
  makePsbt,
  makeTeeWallet,
  messageIntent,
  startEnclaveProcess,
  transferIntent,
} from '@symbolon/testing/enclave'
import { encodeFunctionData, erc20Abi } from 'viem'
import { programFile } from '../scripts/run.ts'
import { cpuMicroseconds } from './support/cpu.ts'
import { median } from './support/load.ts'
import { printTable, writeResults } from './support/results.ts'

/**
 * What a receipt costs the enclave, in CPU time, medians of rounds: in this process its parts (what the payload does, decoded once more for
 * people; what it says; JSON and hash; its signature), and in a real enclave the whole request with and without one, interleaved. Argument: rounds.
 */
const rounds = Number(process.argv[2] ?? 9)
const repeats = 2_000
const requests = 1_500
const inFlight = 32

const recipient = `0x${'5e'.repeat(20)}` as const
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const keys = { secp256k1: testKey('secp256k1', 1), ed25519: testKey('ed25519', 1) }
const inputs = Array.from(
  { length: 4 },
  () => ({ publicKey: keys.secp256k1.publicKey, kind: 'p2wpkh' }) as const,
)
const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, 5n] })

const samples: readonly { name: string; curve: 'secp256k1' | 'ed25519'; intent: SignIntent }[] = [
  {
    name: 'EVM transfer',
    curve: 'secp256k1',
    intent: decodeIntent(transferIntent({ chain: 'base', to: recipient, value: 5n })),
  },
  {
    name: 'EVM token transfer',
    curve: 'secp256k1',
    intent: decodeIntent(transferIntent({ chain: 'base', to: usdc, value: 0n, data })),
  },
  { name: 'EVM message', curve: 'secp256k1', intent: decodeIntent(messageIntent('secp256k1', 'hello')) },
  { name: 'Solana message', curve: 'ed25519', intent: decodeIntent(messageIntent('ed25519', 'hello')) },
  {
    name: 'PSBT, 4 inputs',
    curve: 'secp256k1',
    intent: { kind: 'transaction', network: 'bitcoin', chain: 'bitcoin', bytes: makePsbt(inputs) },
  },
]

/** CPU time of one run, µs. */
function timed(run: () => unknown): number {
  const before = process.cpuUsage()
  for (let n = 0; n < repeats; n++) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / repeats
}

const slots = secureSlots(3)
const issuer = receiptIssuer({ key: makeReceiptKey(slots), mode: 'simulated', nowMs: Date.now })
const [seed, expanded] = [slots.take(), slots.take()]
signerEd25519.publicKey(seed.key, expanded.full)
const row = randomBytes(36)
const organization = row.subarray(0, 16)
const ring = { id: 'x'.repeat(43) }

/** The parts of a receipt for one intent. */
function partsOf({ curve, intent }: (typeof samples)[number]) {
  const { publicKey } = keys[curve]
  const payload = parsePayload(networks, intent, curve, publicKey)
  const digests = signingDigests(payload)
  const [first, ...others] = rawSignatures(intent, keys[curve])
  const signatures: SignAnswer = [first, ...others]
  const shown = receiptEffects(payload)
  const signed = { payload, digests, signatures, shown, decision: noDecision, budget: null }
  const says = () => receiptFacts({ ring }, { row, curve, publicKey }, signed)
  const facts = says()
  const { jws } = issuer.issue(organization, facts)
  const text = Buffer.from(jws.slice(0, jws.lastIndexOf('.')))
  return {
    bytes: jws.length,
    runs: {
      decode: () => receiptEffects(payload),
      says,
      assemble: () => assembleAnswer(payload, signatures),
      issue: () => issuer.issue(organization, facts),
      signature: () => signerEd25519.sign(text, seed.key, expanded.full),
    },
  }
}

const parts = samples.map((sample) => ({ name: sample.name, ...partsOf(sample) }))
const names = ['decode', 'says', 'assemble', 'issue', 'signature'] as const
const taken = new Map<string, number[]>()
for (let round = 0; round <= rounds; round++) {
  for (const { name, runs } of parts)
    for (const part of names) {
      const us = timed(runs[part])
      if (round > 0) taken.set(`${name} ${part}`, [...(taken.get(`${name} ${part}`) ?? []), us])
    }
}
const inProcess = parts.map(({ name, bytes }) => {
  const of = (part: (typeof names)[number]) => median(taken.get(`${name} ${part}`) ?? [])
  const [decodeUs, saysUs, assembleUs, issueUs, signatureUs] = names.map(of) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const own = { saysUs: saysUs - assembleUs, jsonUs: issueUs - signatureUs, signatureUs }
  return { name, bytes, decodeUs, assembleUs, ...own, receiptUs: saysUs - assembleUs + issueUs }
})
printTable(
  'A receipt by its parts, µs of CPU; beside it, what it takes to decode the payload for people and to assemble the answer',
  ['', 'bytes', 'decode', 'assemble', 'what it says', 'JSON and hash', 'signature', 'receipt'],
  inProcess.map((one) => [
    one.name,
    one.bytes,
    one.decodeUs,
    one.assembleUs,
    one.saysUs,
    one.jsonUs,
    one.signatureUs,
    one.receiptUs,
  ]),
)

const child = await startEnclaveProcess({ entry: programFile('enclave-simulated') })
const enclave = enclaveSocket(child.client)
const kms = keyRing({ purpose: 'tee-b', keyId: 'bench', keys: [randomBytes(32)] })
const wallets = {
  secp256k1: await makeTeeWallet(enclave, kms, 'secp256k1'),
  ed25519: await makeTeeWallet(enclave, kms, 'ed25519'),
}

/** CPU time of the enclave for one request, µs. */
async function enclaveUs(
  curve: 'secp256k1' | 'ed25519',
  intent: Uint8Array,
  isWanted: boolean,
): Promise<number> {
  const pid = child.supervisor.pid() ?? 0
  const input = { ...wallets[curve], intent, ...(isWanted && { receipt: true as const }) }
  const before = cpuMicroseconds([pid])
  let left = requests
  const worker = async () => {
    while (left-- > 0) await enclave.sign(input)
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return (cpuMicroseconds([pid]) - before) / requests
}

const overSocket: { name: string; without: number[]; with: number[] }[] = samples
  .filter(({ name }) => !name.startsWith('PSBT'))
  .map(({ name }) => ({ name, without: [], with: [] }))
for (let round = 0; round <= rounds; round++) {
  for (const one of overSocket) {
    const sample = samples.find(({ name }) => name === one.name)
    if (sample === undefined) continue
    const intent = encodeIntent(sample.intent)
    const without = await enclaveUs(sample.curve, intent, false)
    const withReceipt = await enclaveUs(sample.curve, intent, true)
    if (round === 0) continue
    one.without.push(without)
    one.with.push(withReceipt)
  }
}
await enclave.close()
await child.stop()
const whole = overSocket.map((one) => ({
  name: one.name,
  withoutUs: median(one.without),
  withUs: median(one.with),
}))
printTable(
  'A request to the enclave, µs of its CPU',
  ['', 'without', 'with receipt', 'difference'],
  whole.map(({ name, withoutUs, withUs }) => [name, withoutUs, withUs, withUs - withoutUs]),
)
writeResults('receipt', { rounds, inProcess, whole })
