import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'

const withinMs = 15_000

function isRunning(marker: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(marker)
    } catch {
      return false
    }
  })
}

/** Deaf for its first two seconds, as a program is that has only begun: a shell starts what runs behind it with SIGINT ignored. */
const program = `
  const from = performance.now()
  process.on('SIGINT', () => performance.now() - from > 2_000 && process.exit(0))
  setInterval(() => {}, 1_000)`

test.each([5, 400])(
  'a process started %i ms before its parent is killed does not outlive it for long',
  async (ms) => {
    const marker = randomUUID()
    const command = [process.execPath, '-e', program, marker]
    const module = new URL('./guarded-process.ts', import.meta.url).href
    const parent = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { guardedProcess } from ${JSON.stringify(module)}
      guardedProcess(${JSON.stringify(command)}, { env: {} })
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`,
    ])
    await once(parent, 'exit')
    // What its parent has only just begun may show up late.
    await sleep(200)
    await expect.poll(() => isRunning(marker), { timeout: withinMs, interval: 100 }).toBe(false)
  },
  withinMs + 10_000,
)
