import pino from 'pino'
import type { Log } from '../ports/log.ts'

/** Fields that are never logged, at any depth: the last line of defence, as callers do not pass them. */
const redacted = [
  'authorization',
  'token',
  'code',
  'secret',
  'key',
  'signature',
  'email',
  'dataKey',
  'share',
].flatMap((name) => (name === 'code' ? ['body.code'] : [name, `*.${name}`]))

const component = 'api'

/** JSON lines on standard output; each has `level`, `time`, `component` and `event`, the latter by default its message in snake case. */
export function pinoLog(level: string): Log {
  return pino({
    level,
    base: { pid: process.pid },
    redact: { paths: redacted, censor: '[redacted]' },
    serializers: { err: (error: unknown) => errorFields(error) },
    hooks: {
      logMethod([fields, message, ...rest], write) {
        const named = { component, event: eventOf(message), ...(fields as unknown as object) }
        write.apply(this, [named as unknown as string, message, ...rest])
      },
    },
  })
}

const eventOf = (message: unknown): string =>
  String(message)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

type LoggedError = { type: string; message: string; stack?: string; code?: unknown; cause?: LoggedError }

/** Name, message, stack and code of an error and its causes: never the arbitrary fields that libraries attach (queries, parameters). */
export function errorFields(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is not an error was thrown' }
  return {
    type: error.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && depth < 4 && { cause: errorFields(error.cause, depth + 1) }),
  }
}
