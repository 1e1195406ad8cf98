import { inspect } from 'node:util'
import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'

const planted = 'planted-secret-bytes-0123456789!'
const bytes = () => new TextEncoder().encode(planted)
const traces = [planted, '112,108,97,110,116', '706c616e74', Buffer.from(planted).toString('base64')]

// However an array is printed (columns, indexes as keys), its bytes stand in a row here.
const isShown = (text: string): boolean => {
  const row = text.replaceAll(/\s|"?\b\d+"?:/g, '')
  return traces.some((trace) => text.includes(trace) || row.includes(trace))
}

const posted = async (value: unknown): Promise<unknown> => {
  const { port1, port2 } = new MessageChannel()
  const arrival = new Promise((resolve) => port2.once('message', resolve))
  port1.postMessage(value)
  try {
    return await arrival
  } finally {
    port1.close()
  }
}

const everyText = async (value: object): Promise<string[]> => [
  JSON.stringify({ value }),
  inspect(value),
  inspect({ value }, { showHidden: true, depth: null, getters: true, showProxy: true }),
  inspect(structuredClone(value), { depth: null }),
  inspect(await posted({ value }), { depth: null }),
  inspect(new Error('failed', { cause: value }), { depth: null }),
  JSON.stringify(Object.entries(value)),
  JSON.stringify(Object.getOwnPropertyDescriptors(value)),
  JSON.stringify({ ...value }),
]

test('a secret shows in no text, JSON, inspection, error or clone', async () => {
  const secret = new Secret(bytes())
  const shown = [
    ...(await everyText(secret)),
    String(secret),
    `${secret}`,
    new Error(`${secret}`).stack ?? '',
  ]
  for (const text of shown) expect(isShown(text)).toBe(false)
})

test('control: the same bytes in a plain object show in every one of those texts', async () => {
  for (const text of await everyText({ bytes: bytes() })) expect(isShown(text)).toBe(true)
})

test('wiping clears the very array that was given and ends reading', () => {
  const array = bytes()
  const secret = new Secret(array)
  expect(secret.bytes).toBe(array)
  secret.wipe()
  expect(array.every((byte) => byte === 0)).toBe(true)
  expect(() => secret.bytes).toThrow('wiped')
  secret.wipe()
})
