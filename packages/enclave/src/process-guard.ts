import { secureHeapUsed } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { url as debuggerUrl } from 'node:inspector'

const secureHeapBytes = 65_536

/**
 * Node's own flags for an enclave process: no `__proto__`, no code from strings, no debugger by signal, a small
 * heap, OpenSSL's secrets in locked memory; no stack traces, which are never shown and which node:crypto pays for
 * with 7 µs each time a raw key is not a key object. `--frozen-intrinsics` is left out: dependencies break under it.
 * V8 counts a young generation that grew under load (to 130 MB) against the bound on the old one, and then collects all of
 * the heap again and again, 13 ms for each signature of an agent: so it has a bound of its own.
 */
export const enclaveNodeArguments: readonly string[] = [
  '--disable-proto=throw',
  '--disallow-code-generation-from-strings',
  '--disable-sigusr1',
  '--stack-trace-limit=0',
  '--max-old-space-size=96',
  '--max-semi-space-size=8',
  `--secure-heap=${secureHeapBytes}`,
  '--secure-heap-min=32',
]

/** The last argument of a process that was started again for its guards. */
const guardedMark = '--guarded'
const shell = '/bin/sh'

/**
 * Makes sure that this process has the guards of an enclave, however it was started: Node's flags above, no core dumps, no debugger, none of
 * `NODE_OPTIONS`. Where one is missing, the process executes its program again, once: the same process id, the guards, and of its environment
 * only the settings of an enclave. `say` gets a sentence before that. Throws where the guards are missing still.
 */
export function guardProcess(
  environment: Readonly<Record<string, string | undefined>>,
  say: (sentence: string) => void,
): void {
  process.umask(0o077)
  const missing = missingGuards(environment)
  if (missing.length === 0) return
  const [, entry, ...args] = process.argv
  const canExecute = typeof process.execve === 'function' && entry !== undefined && existsSync(shell)
  if (args.includes(guardedMark) || !canExecute)
    throw new Error(`This process cannot get the guards of an enclave: ${missing.join(', ')}.`)
  say(`The enclave starts again with its process guards: ${missing.join(', ')}.`)
  const command = enclaveCommand(entry, [...args, guardedMark])
  const settings = Object.entries(environment).filter(([name]) => name.startsWith('ENCLAVE_'))
  process.execve?.(command.file, [command.file, ...command.args], Object.fromEntries(settings))
}

/** What is missing, each named by its flag or its limit. */
function missingGuards(environment: Readonly<Record<string, string | undefined>>): string[] {
  const missing = enclaveNodeArguments.filter((flag) => lastOf(nameOf(flag)) !== flag)
  if (secureHeapUsed()?.total !== secureHeapBytes) missing.push('secure heap')
  if (debuggerUrl() !== undefined) missing.push('no debugger')
  if (environment['NODE_OPTIONS']) missing.push('no NODE_OPTIONS')
  if (hasCoreDumps()) missing.push('no core dumps')
  return missing
}

const nameOf = (flag: string) => flag.split('=', 1)[0] ?? flag

/** Of a flag that is given more often, the last one counts. */
const lastOf = (name: string) => process.execArgv.findLast((flag) => nameOf(flag) === name)

/** Only Linux shows the limit; elsewhere an enclave runs in development alone. */
function hasCoreDumps(): boolean {
  if (process.platform !== 'linux') return false
  try {
    return !/^Max core file size\s+0\s+0\s/m.test(readFileSync('/proc/self/limits', 'latin1'))
  } catch {
    return true
  }
}

/**
 * Ends this process when its standard input ends: the parent holds the other end, so that none outlives it. Below a
 * parent, Ctrl-C is the parent's to handle: it may still have requests to answer.
 */
export function exitWithParent(): void {
  if (!process.stdin.isTTY) process.on('SIGINT', () => {})
  const end = () => process.exit(0)
  process.stdin.on('end', end).on('close', end).on('error', end).resume()
}

/**
 * The command that starts `entry` as an enclave: hardening flags, and core dumps off where there is a shell to say
 * so (Node cannot set its own limits).
 */
export function enclaveCommand(entry: string, args: readonly string[]): { file: string; args: string[] } {
  const node = [process.execPath, ...enclaveNodeArguments, entry, ...args]
  if (process.platform === 'win32') return { file: process.execPath, args: node.slice(1) }
  return { file: shell, args: ['-c', 'ulimit -c 0; umask 0077; exec "$0" "$@"', ...node] }
}
