import type { Component } from '@symbolon/api'
import type { Queryable } from '../../db/pool.ts'
import type { Enclave } from '../../ports/enclave.ts'
import type { Kms } from '../../ports/kms.ts'

/** Checks one part; what it throws or lets wait means that the part is down. */
export type Probe = () => Promise<Component>

/** What every part said, by name. */
export type Components = Record<string, Component>

const probeTimeMs = 1_500

/**
 * Asks the parts whether they answer, each within 1.5 s. Callers that ask while a round is running share it, so that an
 * open route cannot multiply work.
 */
export function health({
  sql,
  kms,
  enclave,
  extra = {},
}: {
  sql: Queryable
  kms: Pick<Kms, 'ping'>
  enclave: Pick<Enclave, 'status'>
  extra?: Record<string, Probe>
}) {
  const probes: Record<string, Probe> = {
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
  }
  let running: Promise<Components> | undefined

  async function checkAll(): Promise<Components> {
    const entries = Object.entries(probes).map(async ([name, probe]) => [name, await check(probe)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  return {
    components(): Promise<Components> {
      running ??= checkAll().finally(() => {
        running = undefined
      })
      return running
    },
  }
}

/** The health of the installation. */
export type Health = ReturnType<typeof health>

/** Whether every part that is not switched off answers. */
export const isReady = (components: Components): boolean =>
  Object.values(components).every(({ status }) => status === 'up' || status === 'off')

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
