import type { ChildProcess } from 'node:child_process'
import { spawnChild } from './spawn-child.ts'

/**
 * Runs `"$@"` and interrupts it (SIGINT) as soon as standard input ends, which the kernel does for us when our process
 * dies, even by SIGKILL; and again every five seconds, since a program that has only begun does not listen yet, and one that ends
 * may need its time. Ends with the exit code of the command.
 */
const guard = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
( while read -r line <&3; do :; done
  tries=0
  while kill -0 "$child"; do
    [ $((tries % 25)) -ne 0 ] || kill -INT "$child"
    tries=$((tries + 1))
    sleep 0.2
  done ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$child"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"
`

/** A child that cannot outlive us. Ending its standard input stops it gently. */
export type GuardedProcess = ChildProcess

/** Starts a program that ends with us; out of reach of the terminal's Ctrl-C, so that only its owner stops it. */
export function guardedProcess(
  command: readonly string[],
  options: { uid?: number; gid?: number; env: Record<string, string> },
): GuardedProcess {
  const child = spawnChild('/bin/sh', ['-c', guard, 'guard', ...command], {
    ...options,
    // Every user may enter it.
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // The far end may be gone already when we close it.
  child.stdin?.on('error', () => {})
  return child
}
