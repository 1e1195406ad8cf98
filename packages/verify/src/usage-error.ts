import { type ParseArgsConfig, parseArgs } from 'node:util'

/** Thrown for a command line that makes no sense; the message is one sentence that says what is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What Node's parser reads of a command line. Throws `UsageError` where it refuses it. */
export function parsedArguments<config extends ParseArgsConfig>(
  config: config,
): ReturnType<typeof parseArgs<config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(error instanceof Error ? problemIn(error.message) : String(error))
  }
}

/** Throws `UsageError` for arguments beyond those that a command takes. */
export function refuseMore([more]: readonly string[]): void {
  if (more !== undefined) throw new UsageError(`One argument is too many: ${more}.`)
}

/** Node's own sentences are long, and some advise what does not help here. */
function problemIn(message: string): string {
  const unknown = /^Unknown option '(.+?)'/.exec(message)?.[1]
  if (unknown !== undefined) return `Unknown option ${unknown}.`
  const option = /^Option '(?:-\w, )?(--[\w-]+)/.exec(message)?.[1]
  if (option === undefined) return message
  return message.includes('does not take an argument')
    ? `${option} takes no value.`
    : `${option} needs a value.`
}
