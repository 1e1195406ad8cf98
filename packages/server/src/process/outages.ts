import { isDatabaseAway } from '../db/is-database-unavailable.ts'
import { EnclaveError } from '../ports/enclave.ts'
import { KmsError } from '../ports/kms.ts'
import type { Log } from '../ports/log.ts'
import { MailError } from '../ports/mailer.ts'

/** Rejects while a component does not answer. */
export type ComponentProbe = () => Promise<unknown>

/** The components that are out of reach, as this process sees them. */
export type Outages = {
  /** Says once that a component is out of reach, and looks for its return. */
  down(component: string, error?: unknown): void
  /** Says that it is back, if it was away. */
  up(component: string): void
  close(): void
}

/** Says that a component was lost, with the error, or is back. */
export type SayOutage = (component: string, isUp: boolean, error?: unknown) => void

const probeEveryMs = 500
// What failed before the return may be reported after it.
const settlingMs = 1_500

/** Makes the outages of a process. `probes` ask components whether they are back; one without a probe is up when its user says so. */
export function outages(probes: Readonly<Record<string, ComponentProbe>>, say: SayOutage): Outages {
  const away = new Map<string, NodeJS.Timeout | undefined>()
  const backAt = new Map<string, number>()
  let isClosed = false

  const up = (component: string) => {
    if (!away.has(component)) return
    clearTimeout(away.get(component))
    away.delete(component)
    backAt.set(component, performance.now())
    say(component, true)
  }
  const look = (component: string) => {
    const probe = probes[component]
    if (probe === undefined || isClosed) return
    const again = () => {
      if (away.has(component)) look(component)
    }
    const timer = setTimeout(() => probe().then(() => up(component), again), probeEveryMs)
    away.set(component, timer.unref())
  }
  return {
    down(component, error) {
      const isSettling = performance.now() - (backAt.get(component) ?? Number.NEGATIVE_INFINITY) < settlingMs
      if (isClosed || away.has(component) || isSettling) return
      away.set(component, undefined)
      say(component, false, error)
      look(component)
    },
    up,
    close() {
      isClosed = true
      for (const timer of away.values()) clearTimeout(timer)
    },
  }
}

/**
 * A log in which an outage is one line: what fails because a component is out of reach is reported to `outages`, and logged at `debug`
 * only.
 */
export function outageLog(log: Log, outages: Pick<Outages, 'down'>): Log {
  const unlessOutage =
    (write: Log['warn']): Log['warn'] =>
    (fields, message) => {
      const lost = componentsIn(fields)
      for (const { component, error } of lost) outages.down(component, error)
      if (lost.length === 0) write(fields, message)
      else log.debug(fields, message)
    }
  return {
    debug: (...line) => log.debug(...line),
    info: (...line) => log.info(...line),
    warn: unlessOutage((...line) => log.warn(...line)),
    error: unlessOutage((...line) => log.error(...line)),
  }
}

type Lost = { component: string; error: unknown }

/** The components whose absence a line is about: by its error, or by the list of a service that is not ready. */
function componentsIn(fields: { err?: unknown; detail?: unknown; kind?: unknown }): Lost[] {
  const component = componentOf(fields.err, fields.kind === 'mail')
  if (component !== undefined) return [{ component, error: fields.err }]
  const { down, faults = {} } = (fields.detail ?? {}) as { down?: unknown; faults?: Record<string, unknown> }
  if (!Array.isArray(down)) return []
  return down.map((name) => ({ component: String(name), error: faults[String(name)] }))
}

const load = ['queue full or closed', 'record full', 'too many requests wait', 'waited too long']
const isLoad = (cause: unknown): boolean => typeof cause === 'string' && load.includes(cause)

const causesMax = 6
const notConnected = /^(ECONN|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|EPIPE|ESOCKET|ECONNECTION)/

/** The component that an error says is out of reach: the innermost of its causes knows best. */
function componentOf(error: unknown, ofMail: boolean): string | undefined {
  let found: string | undefined
  let isMail = ofMail
  for (let cause = error, i = 0; cause instanceof Error && i < causesMax; cause = cause.cause, i++) {
    if (cause instanceof MailError) isMail = true
    if (cause instanceof EnclaveError && cause.code === 'unavailable' && !isLoad(cause.cause))
      found = 'enclave'
    else if (cause instanceof KmsError && cause.code === 'unavailable') found = 'kms'
    else if (isDatabaseAway(cause)) found = 'database'
    else if (isMail && 'code' in cause && notConnected.test(String(cause.code))) found = 'mail'
  }
  return found
}
