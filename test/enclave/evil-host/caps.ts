import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import { transferIntent } from '@symbolon/testing/enclave'
import { expect } from 'vitest'
import { byPolicy, nth, outcomeOf, yielded } from './attack.ts'
import type { Campaign } from './campaign.ts'
import { widerLayers } from './payloads.ts'
import { friend, makeSession, payment, type Session, type World } from './world.ts'

/** A sealed limit over all signatures of a session, of which exactly `signatures` fit, and what is asked for under it. */
type SealedCap = {
  name: string
  layers: Parameters<typeof makeSession>[2]
  signatures: number
  intent(n: number): Uint8Array
}

const askedEach = 40
const token = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913'
// 21,000 gas at 1 gwei.
const fee = 21_000n * 1_000_000_000n
const padded = (text: string) => text.padStart(64, '0')

const tokenPayment = (n: number): Uint8Array =>
  transferIntent({
    chain: 'base',
    to: token,
    value: 0n,
    data: `0xa9059cbb${padded(friend.slice(2))}${padded('64')}`,
    nonce: n,
  })

const caps: readonly SealedCap[] = [
  { name: 'transactions', layers: { session: { max_tx_count: 3 } }, signatures: 3, intent: payment },
  {
    name: 'transactions by the agent’s layer',
    layers: { agent: { max_tx_count: 2 }, session: { max_tx_count: 9 } },
    signatures: 2,
    intent: payment,
  },
  {
    name: 'native value and fees',
    layers: { session: { max_spend_total_native: String(5n * (fee + 1_000n)) } },
    signatures: 5,
    intent: (n) => payment(n, 1_000n),
  },
  {
    name: 'native value by the organization’s layer',
    layers: { organization: { max_native_total_cap: String(4n * (fee + 1n) + fee) } },
    signatures: 4,
    intent: payment,
  },
  {
    name: 'one coin',
    layers: { session: { max_spend_total: [{ asset: 'ETH', max: String(6n * (fee + 1n)) }] } },
    signatures: 6,
    intent: payment,
  },
  {
    name: 'a token',
    layers: { session: { allowed_tokens: [{ chain: 'base', token, max_total: '450' }] } },
    signatures: 4,
    intent: tokenPayment,
  },
]

/** A request as of a host that forgets what it was told: other layers, times, sums and versions each time. */
function forgotten(enclave: Enclave, session: Session, intent: Uint8Array, n: number): Promise<unknown> {
  const request = {
    ...session,
    intent,
    current: n % 2 === 0 ? session.current : nth(widerLayers.slice(0, 4), n >> 1),
    versions: { rules: 0, agentId: randomUUID(), agent: n },
    nowMs: randomInt(2 ** 41),
  }
  const receipt = { spentBefore: n % 4 === 0 ? [{ counter: 'native ETH/18', amount: 0n }] : [] }
  const asked = { ...request, ...(n % 3 === 0 && { receipt }) }
  if (n % 5 !== 0) return enclave.agentSign(asked)
  return enclave.evaluate(request).then(() => enclave.agentSign(asked))
}

/** How many payloads of a new session are signed for a host that asks again and again on two connections. */
async function signedOf({ enclave, makeWallet }: World, other: Enclave, cap: SealedCap): Promise<number> {
  const session = await makeSession(enclave, await makeWallet(), cap.layers)
  const signed = new Set<number>()
  await Promise.all(
    Array.from({ length: askedEach }, async (_, i) => {
      // Some bytes twice: a second signature of the same bytes is the same, and no further one.
      const n = i % 32
      const outcome = await outcomeOf(forgotten(i % 2 === 0 ? enclave : other, session, cap.intent(n), i))
      if (outcome === yielded) signed.add(n)
      else expect(['budget', byPolicy]).toContain(outcome)
    }),
  )
  return signed.size
}

const overCaps: readonly Campaign[] = caps.map((cap) => ({
  name: `more than the sealed cap on ${cap.name}`,
  async run(world, times) {
    const other = enclaveSocket(world.child.client)
    try {
      for (let asked = 0; asked < times; asked += askedEach)
        expect(await signedOf(world, other, cap)).toBe(cap.signatures)
    } finally {
      await other.close()
    }
  },
}))

// The enclave keeps 1,024 decisions.
const keptMost = 1_000
const marginMs = 1_000

/** Evaluates payments of a session shortly before its end, and asks for them once it is over by the enclave's clock. */
async function signLate({ enclave, makeWallet }: World, times: number): Promise<void> {
  const endsMs = Date.now() + marginMs
  const end = { expires_at: new Date(endsMs).toISOString() }
  const wallet = await makeWallet()
  const session = await makeSession(enclave, wallet, times % 2 === 0 ? { session: end } : { agent: end })
  const requests = Array.from({ length: times }, (_, n) => ({ ...session, nowMs: 1, intent: payment(n) }))
  const evaluated = await Promise.all(requests.map((request) => outcomeOf(enclave.evaluate(request))))
  const [first] = requests
  if (first === undefined) throw new Error('nothing to ask')
  // The control: what was evaluated is signed while there is time.
  expect(await outcomeOf(enclave.agentSign(first))).toBe(yielded)
  expect(evaluated.filter((outcome) => outcome === yielded).length).toBeGreaterThan(0)
  await setTimeout(endsMs + 1 - Date.now())
  const late = await Promise.all(requests.map((request) => outcomeOf(enclave.agentSign(request))))
  expect(new Set(late)).toEqual(new Set(['expired']))
}

const keptDecisions: Campaign = {
  name: 'decisions that were kept until the session was over',
  async run(world, times) {
    for (let left = times; left > 0; left -= keptMost) await signLate(world, Math.min(left, keptMost))
  },
}

/** What a host tries that forgets, or waits. */
export const capCampaigns: readonly Campaign[] = [...overCaps, keptDecisions]
