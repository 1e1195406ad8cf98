import { randomUUID } from 'node:crypto'
import { enclaveSocket } from '@symbolon/server/testing/adapters'
import type { Enclave } from '@symbolon/server/testing/ports'
import { restartEnclave, type TeeWallet } from '@symbolon/testing/enclave'
import { until } from '@symbolon/testing/wait'
import { expect } from 'vitest'
import { flipped, nth, outcomeOf, yielded } from './attack.ts'
import type { Campaign } from './campaign.ts'
import { makeSession, noLimits, payment, type Session, walletOf } from './world.ts'

type Segment = NonNullable<Awaited<ReturnType<Enclave['takeMarks']>>>

const segmentCount = 5

/** Has an enclave seal its marks in several segments, as changes come. */
async function segmentsOf(enclave: Enclave, organizationId: string): Promise<Segment[]> {
  const segments: Segment[] = []
  while (segments.length < segmentCount) {
    const id = randomUUID()
    await enclave.note({ kind: 'session_revoked', id, organizationId, order: 1, endsAtMs: null })
    const segment = await enclave.takeMarks(segments.at(-1)?.number ?? 0)
    if (segment === undefined) throw new Error('An enclave has no marks of what it was told.')
    segments.push(segment)
  }
  return segments
}

/** What a host may bring in the place of the segments that the ring has sealed. */
const lies: readonly ((own: Segment[], foreign: Segment[], n: number) => Segment[])[] = [
  (own, _, n) => changed(own, n, (one) => ({ ...one, sealed: flipped(one.sealed, n) })),
  (own, _, n) => changed(own, n, (one) => ({ ...one, number: one.number + 1 })),
  (own, _, n) => changed(own, n, (one) => ({ ...one, keepFrom: one.keepFrom + 1 })),
  (own, _, n) => changed(own, n, (one) => ({ ...one, previousRoot: flipped(one.previousRoot, n) })),
  // One that is left out between others, and two in each other's place.
  (own, _, n) => own.filter((_one, i) => i !== 1 + (n % (own.length - 2))),
  (own, _, n) =>
    own.toSpliced(
      n % (own.length - 1),
      2,
      nth(own, (n % (own.length - 1)) + 1),
      nth(own, n % (own.length - 1)),
    ),
  (own, _, n) => own.toSpliced(n % own.length, 0, nth(own, n)),
  (own, foreign, n) => own.toSpliced(n % own.length, 1, nth(foreign, n % own.length)),
  (_, foreign) => foreign,
]

const changed = (segments: Segment[], n: number, change: (one: Segment) => Segment): Segment[] =>
  segments.map((one, i) => (i === n % segments.length ? change(one) : one))

type Load = (part: { isFirst: boolean; isLast: boolean; segment: Segment }) => Promise<void>

async function loadAll(load: Load, segments: readonly Segment[]): Promise<void> {
  for (const [i, segment] of segments.entries())
    await load({ isFirst: i === 0, isLast: i === segments.length - 1, segment })
}

/** The same session under another version of its policy. */
async function under(
  enclave: Enclave,
  wallet: TeeWallet,
  session: Session,
  policyVersion: number,
  layers: string,
) {
  const later = { ...session, policyVersion }
  return { ...later, ...(await enclave.grant({ ...wallet, ...later, layers })) }
}

/** A session whose first policy is an older one. The host has since minted a third one that was over before it began. */
async function narrowedSession(enclave: Enclave, wallet: TeeWallet): Promise<Session> {
  const first = await makeSession(enclave, wallet)
  await enclave.evaluate(await under(enclave, wallet, first, 2, noLimits))
  const over = JSON.stringify({
    organization: null,
    agent: null,
    session: { expires_at: '2000-01-01T00:00:00.000Z' },
  })
  expect(await outcomeOf(enclave.evaluate(await under(enclave, wallet, first, 3, over)))).toBe('expired')
  return first
}

/**
 * A revoked session, one with an older policy and one that has used its only transaction up, and what proves that others are signed for. The host says
 * of what was revoked, too, that it has ended long ago, so that no mark of it would be needed.
 */
async function spentSessions(enclave: Enclave, wallet: TeeWallet) {
  const narrowed = await narrowedSession(enclave, wallet)
  const revoked = await makeSession(enclave, wallet)
  const spent = await makeSession(enclave, wallet, { session: { max_tx_count: 1 } })
  const free = await makeSession(enclave, wallet)
  const { sessionId: id } = revoked
  const { organizationId } = wallet
  await enclave.agentSign(spent)
  await enclave.note({ kind: 'session_revoked', id, organizationId, order: 1, endsAtMs: null })
  await enclave.note({ kind: 'session_revoked', id, organizationId, order: 2, endsAtMs: 1 })
  return { revoked, narrowed, spent, free }
}

const asked = (enclave: Enclave, session: Session, n = 1): Promise<string> =>
  outcomeOf(enclave.agentSign({ ...session, intent: payment(n) }))

/** Marks that a boot is brought, none of which are what its ring has sealed. */
const falseMarks: Campaign = {
  name: 'marks that are altered, of another ring, out of order or not all there',
  async run({ boots, startEnclave }, times) {
    const child = await startEnclave()
    const before = enclaveSocket(child.client)
    const wallet = await walletOf(before)
    const sessions = await spentSessions(before, wallet)
    const own = await segmentsOf(before, wallet.organizationId)
    const foreign = await segmentsOf(nth(boots, 1).enclave, wallet.organizationId)
    await before.close()
    await restartEnclave(child)
    const loading = enclaveSocket({ path: child.socketPath, policy: child.policy, apiKey: child.apiKey })
    const outcomes: string[] = []
    const after = enclaveSocket({
      ...child.client,
      async loadMarks({ isLoading, load }) {
        if (!(await isLoading())) return
        outcomes.length = 0
        for (let n = 0; n < times; n++)
          outcomes.push(await outcomeOf(loadAll(load, nth(lies, n)(own, foreign, n))))
        outcomes.push(await asked(loading, sessions.free))
        // A boot needs no more than the last walk through all marks: here, the last segment.
        await loadAll(load, own.slice(-1))
      },
    })
    try {
      // A request waits for its enclave a second.
      await until(async () => (await asked(after, sessions.free)) === yielded)
      expect(new Set(outcomes)).toEqual(new Set(['refused', 'unavailable']))
      expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(times)
      expect(await asked(after, sessions.revoked)).toBe('session')
      expect(await asked(after, sessions.narrowed)).toBe('policy')
      expect(await asked(after, sessions.spent)).toBe('budget')
    } finally {
      await Promise.all([loading.close(), after.close()])
      await child.stop()
    }
  },
}

const capOfBoot = 2
const askedOfBoot = 20

/** A host that keeps the marks back starts the enclave again and again: one boot knows nothing of the other, but none passes a cap. */
const keptBack: Campaign = {
  name: 'more than the sealed cap in one boot, of a host that shows no boot the marks of the one before',
  async run({ startEnclave }, times) {
    const child = await startEnclave()
    const enclave = enclaveSocket(child.client)
    try {
      const wallet = await walletOf(enclave)
      const session = await makeSession(enclave, wallet, { session: { max_tx_count: capOfBoot } })
      // A restart takes a second, so that there are few, and only in the night.
      const boots = Math.min(4, Math.floor(times / 400))
      for (let boot = 0; boot <= boots; boot++) {
        if (boot > 0) await restartEnclave(child)
        await until(async () => (await outcomeOf(enclave.evaluate(session))) === yielded)
        const numbers = Array.from({ length: askedOfBoot }, (_, i) => boot * askedOfBoot + i)
        const outcomes = await Promise.all(numbers.map((n) => asked(enclave, session, n)))
        expect(outcomes.filter((outcome) => outcome === yielded)).toHaveLength(capOfBoot)
        expect(outcomes.filter((outcome) => outcome === 'budget')).toHaveLength(askedOfBoot - capOfBoot)
      }
    } finally {
      await enclave.close()
      await child.stop()
    }
  },
}

/** What a host tries with the start of an enclave. */
export const bootCampaigns: readonly Campaign[] = [falseMarks, keptBack]
