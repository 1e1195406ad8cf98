import type { Component } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import { type Enclave, EnclaveError } from '../../ports/enclave.ts'
import { type Kms, KmsError } from '../../ports/kms.ts'

/** Checks one part; if it throws or takes too long, the part is down. */
export type Probe = () => Promise<Component>

/** The status of every part, by name. */
export type Components = Record<string, Component>

const probeTimeMs = 1_500
// Probes of liveness give up after a second, by the defaults of Kubernetes, and a busy machine takes its part of it.
const patienceMs = 500
const patienceInOutageMs = 100

/**
 * The probes of an installation's parts, the round of them that is under way, whether the last one missed a part, and why: what its probes
 * threw, by the part's name, for the log.
 */
export type Health = {
  readonly probes: Record<string, Probe>
  running: Promise<Components> | undefined
  isOutage: boolean
  faults: Readonly<Record<string, unknown>>
}

/** Makes the health of an installation; `extra` has probes of further parts. */
export const health = ({
  sql,
  kms,
  enclave,
  extra = {},
}: {
  sql: Queryable
  kms: Pick<Kms, 'ping'>
  enclave: Pick<Enclave, 'status'>
  extra?: Record<string, Probe>
}): Health => ({
  running: undefined,
  isOutage: false,
  faults: {},
  probes: {
    database: async () => {
      await sql`select 1`
      return { status: 'up' }
    },
    async kms() {
      await kms.ping()
      return { status: 'up' }
    },
    enclave: () => enclaveComponent(enclave),
    ...extra,
  },
})

/** Asks all parts whether they answer, each within 1.5 s. Parallel calls share one round, so that an open route cannot multiply work. */
export function checkComponents(health: Health): Promise<Components> {
  health.running ??= checkAll(health)
    .then((components) => {
      health.isOutage = !isReady(components)
      return components
    })
    .finally(() => {
      health.running = undefined
    })
  return health.running
}

/**
 * Whether all parts answer, within 0.5 s: one that takes longer does not count as there. In an outage that the last round saw, within 0.1 s.
 */
export async function areAllThere(health: Health): Promise<boolean> {
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), health.isOutage ? patienceInOutageMs : patienceMs)
  try {
    const components = await Promise.race([checkComponents(health), late.promise])
    return components !== undefined && isReady(components)
  } finally {
    clearTimeout(timer)
  }
}

/** Whether the enclave is down because its key ring is not this installation's. */
export const isRingMismatch = ({ enclave }: Components): boolean =>
  enclave?.status === 'down' && enclave.reason !== undefined

/** Whether every part that is not switched off answers. */
export const isReady = (components: Components): boolean => notReady(components).length === 0

/** The parts that are neither up nor switched off, by name. */
export const notReady = (components: Components): string[] =>
  Object.keys(components).filter((name) => {
    const status = components[name]?.status
    return status !== 'up' && status !== 'off'
  })

async function checkAll(health: Health): Promise<Components> {
  const faults: Record<string, unknown> = {}
  const entries = Object.entries(health.probes).map(async ([name, probe]) => {
    const answer = async () => {
      try {
        return await probe()
      } catch (error) {
        faults[name] = error
        return downBy(error)
      }
    }
    return [name, await check(answer)] as const
  })
  const components = Object.fromEntries(await Promise.all(entries))
  health.faults = faults
  return components
}

async function enclaveComponent(enclave: Pick<Enclave, 'status'>): Promise<Component> {
  const { phase, simulated, ringId } = await enclave.status()
  const status = statusOf(phase)
  const mode = simulated ? 'simulated' : 'nitro'
  return { status, phase, mode, ring_id: ringId, enclaves: [{ status }] }
}

/** A part whose probe threw. A reason of the KMS names no key: its ids can hold an account's number. */
function downBy(error: unknown): Component {
  if (error instanceof KmsError) {
    const reason = error.fault?.reason ?? (error.code === 'unknown_key' ? 'key_missing' : undefined)
    return { status: 'down', ...(reason !== undefined && { reason }) }
  }
  if (error instanceof EnclaveError && error.ring !== undefined) {
    const { reason, ringId, expectedRingId } = error.ring
    const status = reason === 'ring_not_made' ? 'starting' : 'down'
    return { status, reason, ring_id: ringId, expected_ring_id: expectedRingId }
  }
  return { status: 'down' }
}

// Only a restart leads out of `sealed`; the phases before `serving` pass by themselves.
function statusOf(phase: string): Exclude<Component['status'], 'off'> {
  if (phase === 'serving') return 'up'
  return phase === 'sealed' ? 'down' : 'starting'
}

async function check(probe: Probe): Promise<Component> {
  const late = Promise.withResolvers<Component>()
  const timer = setTimeout(() => late.resolve({ status: 'down' }), probeTimeMs)
  try {
    return await Promise.race([probe(), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
