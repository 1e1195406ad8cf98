import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { enclaveVersion } from './version.ts'

test('the enclave reports the version of its package', () => {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(enclaveVersion).toBe((JSON.parse(text) as { version: string }).version)
})
