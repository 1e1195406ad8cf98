import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { claimDataFolder } from './claim-data-folder.ts'

const module = fileURLToPath(new URL('./claim-data-folder.ts', import.meta.url))
let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'symbolon-claim-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Takes the folder and keeps it. */
const ownerCode = () =>
  `const { claimDataFolder } = await import(${JSON.stringify(module)}); claimDataFolder(${JSON.stringify(folder)}); console.log('has it'); setInterval(() => {}, 1000)`

/** Another process that has taken the folder. */
async function owner(): Promise<{ pid: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', ownerCode()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return {
    pid: Number(child.pid),
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('a folder has one owner, is given back, and is taken over from one that was killed', async () => {
  const other = await owner()
  expect(() => claimDataFolder(folder)).toThrow(`Symbolon already runs on ${folder} (process ${other.pid})`)
  await other.kill()
  const release = claimDataFolder(folder)
  expect(readdirSync(folder)).toEqual(['start.pid'])
  release()
  expect(readdirSync(folder)).toEqual([])
})

test.skipIf(process.platform !== 'linux')(
  'a folder is taken over from a killed owner that nobody reaps',
  async () => {
    const code = ownerCode().replaceAll("'", String.raw`'\''`)
    // The shell becomes a program that never waits for its children.
    const parent = spawn(
      '/bin/sh',
      ['-c', `"$0" --input-type=module -e '${code}' & exec sleep 60`, process.execPath],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => void parent.kill('SIGKILL'))
    await once(parent.stdout, 'data')
    const pid = Number(readFileSync(path.join(folder, 'start.pid'), 'utf8').split('\n')[0])
    expect(() => claimDataFolder(folder)).toThrow(`(process ${pid})`)
    process.kill(pid, 'SIGKILL')
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8')
    await expect.poll(stat).toMatch(/\) Z /)
    claimDataFolder(folder)()
    expect(stat()).toMatch(/\) Z /)
    expect(readdirSync(folder)).toEqual([])
  },
)

test('a lock whose process id went to a stranger holds nobody up, and is not given back by whoever had it', async () => {
  const other = await owner()
  const lock = path.join(folder, 'start.pid')
  const [pid, birth = ''] = readFileSync(lock, 'utf8').split('\n')
  expect(birth).toMatch(/^[0-9a-f-]{36} \d+$/)
  writeFileSync(lock, `${pid}\n${birth}1\n`)
  const release = claimDataFolder(folder)
  expect(readFileSync(lock, 'utf8')).toContain(`${process.pid}\n`)
  writeFileSync(lock, `${pid}\n${birth}\n`)
  release()
  expect(readFileSync(lock, 'utf8')).toContain(`${other.pid}\n`)
})
