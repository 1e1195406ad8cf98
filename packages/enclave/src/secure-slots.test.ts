import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { secureSlots } from './secure-slots.ts'

test('a slot that comes back is zero for its next user', () => {
  const slots = secureSlots(1)
  const slot = slots.take()
  slot.full.fill(1)
  slots.give(slot)
  expect(slots.free()).toBe(1)
  expect(slot.full.every((byte) => byte === 0)).toBe(true)
  expect(slots.take()).toBe(slot)
})

test('the views of a slot share its memory and have the lengths of a share and a key', () => {
  const slot = secureSlots(1).take()
  slot.full.fill(3)
  expect([slot.full.length, slot.share.length, slot.key.length]).toEqual([64, 33, 32])
  expect([...slot.key, ...slot.share].every((byte) => byte === 3)).toBe(true)
})

test.skipIf(process.platform === 'win32')('exhaustion aborts the process', () => {
  const module = fileURLToPath(new URL('./secure-slots.ts', import.meta.url))
  const code = `const { secureSlots } = await import(${JSON.stringify(module)})
    const slots = secureSlots(3)
    for (let i = 0; i < 3; i++) slots.take()
    process.stdout.write('three')
    try { slots.take() } catch {}
    process.stdout.write('four')`
  const run = spawnSync('/bin/sh', [
    '-c',
    'ulimit -c 0; exec "$0" "$@"',
    process.execPath,
    '--input-type=module',
    '-e',
    code,
  ])
  expect(run.stdout.toString()).toBe('three')
  expect(run.signal).toBe('SIGABRT')
})
