const checkMs = 500

/**
 * Calls `stop` when the launcher (`scripts/node.mjs`), which nobody can forward signals from once it is killed, is gone.
 * Does nothing in a process that was started directly: its parent may well end first.
 */
export function endWithLauncher(environment: NodeJS.ProcessEnv, stop: () => void): void {
  const launcher = process.ppid
  if (environment['SYMBOLON_LAUNCHER_PID'] !== String(launcher)) return
  setInterval(() => {
    if (process.ppid !== launcher) stop()
  }, checkMs).unref()
}
