import { expect, test } from 'vitest'
import { enclaveBoots } from './enclave-boots.ts'
import { mergeMetrics } from './merge-metrics.ts'

function counted(keys: readonly string[]): string | undefined {
  const boots = enclaveBoots()
  for (const key of keys) boots.seen(key)
  return mergeMetrics([boots.text()])
    .split('\n')
    .find((line) => line.startsWith('symbolon_enclave_restarts_total'))
}

test('the counter is there before any enclave, and the first boot is no restart', () => {
  expect(counted([])).toBe('symbolon_enclave_restarts_total 0')
  expect(counted(['a'])).toBe('symbolon_enclave_restarts_total 0')
})

test('each boot counts once, however many processes report it, and however late', () => {
  expect(counted(['a', 'a', 'b', 'b', 'a', 'c', 'b', 'c'])).toBe('symbolon_enclave_restarts_total 2')
})

test('what is remembered is bounded, and the count goes on', () => {
  const keys = Array.from({ length: 3_000 }, (_, number) => `key ${number}`)
  expect(counted([...keys, 'key 2999'])).toBe('symbolon_enclave_restarts_total 2999')
})
