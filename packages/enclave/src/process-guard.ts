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
  '--secure-heap=65536',
  '--secure-heap-min=32',
]

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
  return { file: '/bin/sh', args: ['-c', 'ulimit -c 0; umask 0077; exec "$0" "$@"', ...node] }
}
