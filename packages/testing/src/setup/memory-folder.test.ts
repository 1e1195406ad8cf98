import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'

const memory = mkdtempSync(path.join(tmpdir(), 'memory-'))
afterAll(() => rmSync(memory, { recursive: true, force: true }))

const program = `
  const { useMemoryFolder } = await import(${JSON.stringify(new URL('memory-folder.ts', import.meta.url).href)})
  useMemoryFolder(process.argv[1], 0)
  process.stdout.write(process.env.TMPDIR ?? 'none')
  process.stdin.resume()
`

/** A run that lasts until its input ends, and its temporary folder. */
async function run(folder: string, environment = {}): Promise<{ child: ChildProcess; temporary: string }> {
  const { TMPDIR: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    env: { ...env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [temporary] = await once(child.stdout, 'data')
  return { child, temporary: String(temporary) }
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  const exit = once(child, 'exit')
  end()
  await exit
}

test('a run has a folder of its own, which goes with it, and removes what a killed run left, nothing else', async () => {
  const killed = await run(memory)
  const living = await run(memory)
  const foreign = path.join(memory, 'symbolon-tests-of-somebody')
  mkdirSync(foreign)
  writeFileSync(path.join(killed.temporary, 'file'), 'left')
  await ended(killed.child, () => killed.child.kill('SIGKILL'))
  expect(existsSync(killed.temporary)).toBe(true)
  const next = await run(memory)
  expect(existsSync(killed.temporary)).toBe(false)
  for (const folder of [living.temporary, next.temporary, foreign]) expect(existsSync(folder)).toBe(true)
  for (const { child } of [living, next]) await ended(child, () => child.stdin?.end())
  for (const { temporary } of [living, next]) expect(existsSync(temporary)).toBe(false)
})

test('where there is no such file system, or somebody chose a folder, nothing changes', async () => {
  const without = await run(path.join(memory, 'absent'))
  expect(without.temporary).toBe('none')
  const chosen = await run(memory, { TMPDIR: '/chosen' })
  expect(chosen.temporary).toBe('/chosen')
  for (const { child } of [without, chosen]) await ended(child, () => child.stdin?.end())
})
