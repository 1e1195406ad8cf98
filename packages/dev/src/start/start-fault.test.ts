import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startFault } from './start-fault.ts'

function thrownBy(work: () => void): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

test('a full disk is a sentence about the data folder', () => {
  const full = thrownBy(() => writeFileSync('/dev/full', 'x'))
  expect(startFault(full, '/data')).toBe(
    'The data folder /data cannot be written to: no space left on device.',
  )
})

test('what has its own sentence keeps it', () => {
  expect(startFault(new Error('Port 8080 is in use'), '/data')).toBe('Port 8080 is in use')
})
