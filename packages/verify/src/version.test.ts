import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { verifyVersion } from './version.ts'

test('the verifier says the version of its package', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(verifyVersion).toBe((JSON.parse(text) as { version: string }).version)
})
