import { errorFields } from '../adapters/log-pino.ts'
import { systemClock } from '../adapters/system.ts'
import { sayForHost } from './host-lines.ts'
import { outageSentence } from './outage-sentence.ts'
import type { SayOutage } from './outages.ts'

/** What a process says for its whole host, as JSON lines like those of its own log. */
export type HostLog = {
  outage: SayOutage
  started(fields: {
    address: string
    version: string
    schema_version: number | null
    key_ids: readonly string[]
  }): void
}

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']
const numberOf = (level: string): number => 10 * (levels.indexOf(level) + 1)

/** The host's log, down to `level` of pino. */
export function hostLog(level: string): HostLog {
  function line(
    own: 'info' | 'warn',
    fields: { component: string; event: string },
    msg: string,
  ): string | undefined {
    if (numberOf(own) < numberOf(level)) return undefined
    return JSON.stringify({
      level: numberOf(own),
      time: systemClock.nowMs(),
      pid: process.pid,
      ...fields,
      msg,
    })
  }
  const write = (text: string) => void process.stdout.write(`${text}\n`)
  return {
    outage(component, isUp, error) {
      const text = isUp
        ? line('info', { component, event: 'component_up' }, `${component} is back`)
        : line(
            'warn',
            { component, event: 'component_down', ...reasonOf(error) },
            outageSentence(component, error),
          )
      if (text !== undefined) sayForHost({ component, isUp, line: text }, write)
    },
    started(fields) {
      const text = line(
        'info',
        { component: 'api', event: 'started', ...fields },
        'the service serves requests',
      )
      if (text !== undefined) sayForHost({ line: text }, write)
    },
  }
}

const reasonOf = (error: unknown) => (error === undefined ? {} : { err: errorFields(error) })
