import { readFileSync } from 'node:fs'
import type { Complain, Environment } from './environment.ts'

/** The secret settings that a file can hold: `X_FILE` names the one of X. Those of Vault and of hardware modules have files of their own. */
const secretNames = [
  'DATABASE_URL',
  'ENCLAVE_API_KEY',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
  'AGENT_LLM_API_KEY',
] as const

const fileNames = new Set<string>(secretNames.map((name) => `${name}_FILE`))
const bytesMax = 65_536

/**
 * The environment with the secrets that its files hold, without their last line break, in the place of the files' names. Complains of a setting that is given both ways and of a
 * file that cannot be used; `unusable` are the names of those settings.
 */
export function withSecretFiles(
  environment: Environment,
  complain: Complain,
): { environment: Environment; unusable: ReadonlySet<string> } {
  const read: Record<string, string> = {}
  const unusable = new Set<string>()
  for (const name of secretNames) {
    const variable = `${name}_FILE`
    const file = environment[variable]
    if (!file) continue
    const fault = environment[name] ? `cannot be set together with ${name}` : readInto(read, name, file)
    if (fault === undefined) continue
    complain(variable, fault)
    unusable.add(name)
  }
  const rest = Object.entries(environment).filter(([name]) => !fileNames.has(name))
  return { environment: { ...Object.fromEntries(rest), ...read }, unusable }
}

/** The variables that are set, secrets in files included, and what collects complaints, each once. */
export function readEnvironment(environment: Record<string, string | undefined>): {
  given: Environment
  complaints: ReadonlySet<string>
  complain: Complain
} {
  const complaints = new Set<string>()
  const say: Complain = (variable, says) => complaints.add(`${variable} ${says}.`)
  // Shells often pass an unset variable as an empty one.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { environment: given, unusable } = withSecretFiles(set, say)
  return {
    given,
    complaints,
    // Of a secret whose file is at fault, that is all there is to say.
    complain: (variable, says) => unusable.has(variable) || say(variable, says),
  }
}

/** Returns what is wrong with the file. */
function readInto(values: Record<string, string>, name: string, file: string): string | undefined {
  try {
    const text = readFileSync(file)
    if (text.length > bytesMax) return `names a file of more than ${bytesMax} bytes`
    const value = text.toString('utf8').replace(/\r?\n$/, '')
    if (value === '') return 'names an empty file'
    values[name] = value
    return undefined
  } catch (error) {
    return `names a file that cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`
  }
}
