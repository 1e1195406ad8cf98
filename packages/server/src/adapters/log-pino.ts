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

/** JSON lines on standard output. */
export function pinoLog(level: string): Log {
  return pino({
    level,
    base: { pid: process.pid },
    redact: { paths: redacted, censor: '[redacted]' },
    serializers: { err: (error: unknown) => errorFields(error) },
  })
}

type LoggedError = { type: string; message: string; stack?: string; code?: unknown; cause?: LoggedError }

/** Name, message, stack and code of an error and its causes: never the arbitrary fields that libraries attach (queries, parameters). */
function errorFields(error: unknown, depth = 0): LoggedError {
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
