import type { Component } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import type { Enclave } from '../../ports/enclave.ts'
import type { Kms } from '../../ports/kms.ts'

/** Checks one part; if it throws or takes too long, the part is down. */
export type Probe = () => Promise<Component>

/** The status of every part, by name. */
export type Components = Record<string, Component>

const probeTimeMs = 1_500

/** The probes of an installation's parts, and the round of them that is under way. */
export type Health = { readonly probes: Record<string, Probe>; running: Promise<Components> | undefined }

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
  probes: {
    database: async () => {
      await sql`select 1`
      return { status: 'up' }
    },
    kms: async () => {
      await kms.ping()
      return { status: 'up' }
    },
    enclave: async () => {
      const { phase, simulated } = await enclave.status()
      return { status: statusOf(phase), phase, simulated }
    },
    ...extra,
  },
})

/** Asks all parts whether they answer, each within 1.5 s. Parallel calls share one round, so that an open route cannot multiply work. */
export function checkComponents(health: Health): Promise<Components> {
  health.running ??= checkAll(health).finally(() => {
    health.running = undefined
  })
  return health.running
}

/** Whether every part that is not switched off answers. */
export const isReady = (components: Components): boolean =>
  Object.values(components).every(({ status }) => status === 'up' || status === 'off')

async function checkAll({ probes }: Health): Promise<Components> {
  const entries = Object.entries(probes).map(async ([name, probe]) => [name, await check(probe)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

// Only a restart leads out of `sealed`; the phases before `serving` pass by themselves.
function statusOf(phase: string): Component['status'] {
  if (phase === 'serving') return 'up'
  return phase === 'sealed' ? 'down' : 'starting'
}

async function check(probe: Probe): Promise<Component> {
  const late = Promise.withResolvers<Component>()
  const timer = setTimeout(() => late.resolve({ status: 'down' }), probeTimeMs)
  try {
    return await Promise.race([probe(), late.promise])
  } catch {
    return { status: 'down' }
  } finally {
    clearTimeout(timer)
  }
}
