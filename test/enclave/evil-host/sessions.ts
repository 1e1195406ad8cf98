import { randomInt, randomUUID } from 'node:crypto'
import type { Enclave } from '@symbolon/server/testing/ports'
import { type Attack, byPolicy, nth, once } from './attack.ts'
import { allowed, refused, strictLayers, widerLayers } from './payloads.ts'
import { anyIntent, makeSession, noLimits, payment, type Session } from './world.ts'

/** Asks for a decision or for signatures, with or without a receipt, by turns. */
function askOf(enclave: Enclave, request: Session, n: number): Promise<unknown> {
  if (n % 3 === 0) return enclave.evaluate(request)
  return enclave.agentSign({ ...request, ...(n % 3 === 1 && { receipt: { spentBefore: [] } }) })
}

const signs = (enclave: Enclave, request: Session, n: number): Promise<unknown> =>
  enclave.agentSign({ ...request, ...(n % 2 === 1 && { receipt: { spentBefore: [] } }) })

const strict = once(async ({ enclave, makeWallet }) => makeSession(enclave, await makeWallet(), strictLayers))

const widened: Attack = {
  name: 'stored layers that became wider than those that were sealed',
  refusals: [byPolicy],
  async attempt(world, n) {
    const session = await strict(world)
    const current = nth(widerLayers, Math.floor(n / refused.length))
    const versions = { rules: 0, agentId: randomUUID(), agent: n }
    const forged = { ...session, current, versions, intent: nth(refused, n)(n) }
    return {
      forged: () => signs(world.enclave, forged, n),
      honest: () => signs(world.enclave, { ...session, intent: allowed(n) }, n),
    }
  },
}

const otherBytes: Attack = {
  name: 'bytes other than those that were evaluated',
  refusals: [byPolicy],
  async attempt(world, n) {
    const { enclave } = world
    const session = { ...(await strict(world)), nowMs: Date.now() + n }
    const evaluated = async (intent: Uint8Array) => {
      await enclave.evaluate({ ...session, intent: allowed(n) })
      return signs(enclave, { ...session, intent }, n)
    }
    return { forged: () => evaluated(nth(refused, n)(n)), honest: () => evaluated(allowed(n)) }
  },
}

const ends = once(async ({ enclave, makeWallet }) => {
  const wallet = await makeWallet()
  const at = (ms: number) => ({ expires_at: new Date(Date.now() + ms).toISOString() })
  const [past, future] = [at(-1_000), at(3_600_000)]
  return {
    over: [
      await makeSession(enclave, wallet, { session: past }),
      await makeSession(enclave, wallet, { session: future, agent: past }),
    ],
    running: await makeSession(enclave, wallet, { session: future, agent: future }),
  }
})

const slowClock: Attack = {
  name: 'a session that is over, by a clock that is slow',
  refusals: ['expired'],
  async attempt(world, n) {
    const { over, running } = await ends(world)
    const current = nth(widerLayers.slice(0, 2), n >> 1)
    const nowMs = nth([0, 1, Date.now() - randomInt(1_000, 2 ** 40)], n)
    const intent = payment(n)
    return {
      forged: () => askOf(world.enclave, { ...nth(over, n), current, nowMs, intent }, n),
      honest: () => askOf(world.enclave, { ...running, current, nowMs: Date.now(), intent }, n),
    }
  },
}

const versions = once(async ({ enclave, makeWallet }) => {
  const wallet = await makeWallet()
  const first = await makeSession(enclave, wallet)
  const under = async (policyVersion: number): Promise<Session> => ({
    ...first,
    policyVersion,
    ...(await enclave.grant({ ...wallet, ...first, policyVersion, layers: noLimits })),
  })
  const [second, third] = [await under(2), await under(3)]
  await enclave.evaluate(third)
  return { older: [first, second], newest: third }
})

const oldPolicy: Attack = {
  name: 'an older policy of the session',
  refusals: ['policy'],
  async attempt(world, n) {
    const { older, newest } = await versions(world)
    const intent = payment(n)
    return {
      forged: () => askOf(world.enclave, { ...nth(older, n), intent }, n),
      honest: () => askOf(world.enclave, { ...newest, intent }, n),
    }
  },
}

const seen = { rules: 2 ** 40, agentId: randomUUID(), agent: 2 ** 40 }
const surrounded = once(async ({ enclave, makeWallet }) => {
  const session = { ...(await makeSession(enclave, await makeWallet())), versions: seen }
  await enclave.evaluate(session)
  return session
})

const oldRules: Attack = {
  name: 'older rules of the organization, or an older policy of the agent',
  refusals: ['rules'],
  async attempt(world, n) {
    const session = { ...(await surrounded(world)), intent: payment(n) }
    const older = nth([0, 1, randomInt(2 ** 40), seen.rules - 1], n >> 1)
    const forged = { ...seen, ...(n % 2 === 0 ? { rules: older } : { agent: older }) }
    return {
      forged: () => askOf(world.enclave, { ...session, versions: forged }, n),
      honest: () => askOf(world.enclave, session, n),
    }
  },
}

const revoked = once(async ({ enclave, makeWallet }) => {
  const wallet = await makeWallet()
  const { organizationId } = wallet
  const [session, other] = [await makeSession(enclave, wallet), await makeSession(enclave, wallet)]
  await enclave.agentSign(session)
  const { sessionId: id } = session
  await enclave.note({ kind: 'session_revoked', id, organizationId, order: 1, endsAtMs: null })
  return { wallet, session, other }
})

const afterRevocation: Attack = {
  name: 'a session that was revoked, minted anew included',
  refusals: ['session'],
  async attempt(world, n) {
    const { enclave } = world
    const { wallet, session, other } = await revoked(world)
    const minted = async (): Promise<Session> => {
      if (n % 4 !== 3) return session
      const again = { ...session, policyVersion: 2 + n }
      return { ...again, ...(await enclave.grant({ ...wallet, ...again, layers: noLimits })) }
    }
    return {
      forged: async () => askOf(enclave, { ...(await minted()), intent: payment(n) }, n),
      honest: () => askOf(enclave, { ...other, intent: payment(n) }, n),
    }
  },
}

const archived = once(async ({ enclave, makeWallet }) => {
  const [wallet, active] = [await makeWallet(), await makeWallet()]
  const sessions = [await makeSession(enclave, wallet), await makeSession(enclave, active)] as const
  const { organizationId, walletId: id } = wallet
  await enclave.note({ kind: 'wallet_archived', id, organizationId, order: 1_000, endsAtMs: null })
  return { wallet, active, sessions }
})

const afterArchiving: Attack = {
  name: 'a wallet that was archived, in every lane',
  refusals: ['wallet'],
  async attempt(world, n) {
    const { enclave } = world
    const { wallet, active, sessions } = await archived(world)
    const { organizationId, walletId: id } = wallet
    const lanes = (of: typeof wallet, session: Session): (() => Promise<unknown>)[] => [
      () => enclave.sign({ ...of, intent: anyIntent(of.curve, n) }),
      () => enclave.sign({ ...of, intent: anyIntent(of.curve, n), receipt: true }),
      () => askOf(enclave, { ...session, intent: payment(n) }, n),
    ]
    return {
      async forged() {
        // What happened before does not undo what came later.
        await enclave.note({ kind: 'wallet_active', id, organizationId, order: n % 1_000, endsAtMs: null })
        return nth(lanes(wallet, sessions[0]), n)()
      },
      honest: nth(lanes(active, sessions[1]), n),
    }
  },
}

/** What a host tries with the state of a session or wallet that it knows everything of. */
export const sessionAttacks: readonly Attack[] = [
  widened,
  otherBytes,
  slowClock,
  oldPolicy,
  oldRules,
  afterRevocation,
  afterArchiving,
]
