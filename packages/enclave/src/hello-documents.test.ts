import { randomBytes } from 'node:crypto'
import { type EnclaveHello, helloNonce } from '@symbolon/crypto/node'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Attestor } from './attestor.ts'
import { helloDocuments } from './hello-documents.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const facts = { phase: 'serving', ringId: 'A'.repeat(43), keyVersionA: 1 } as const
const offer = { publicKey: randomBytes(32) }

/** Documents are the nonces that they are for. */
function documents(attest: Attestor['attest'] = async ({ nonce }) => nonce) {
  const madeAt: number[] = []
  const attestor = {
    attest: (input: Parameters<Attestor['attest']>[0]) => {
      madeAt.push(performance.now())
      return attest(input)
    },
  } as Attestor
  return { madeAt, ...helloDocuments({ facts: () => facts }, { offer, attestor }) }
}

const nonces = (count: number): Uint8Array[] => Array.from({ length: count }, () => randomBytes(32))

test('hellos that come together share one document, which commits to the nonces of all of them', async () => {
  const { ask, madeAt } = documents()
  const [first, ...others] = nonces(41)
  const hellos = [first, ...others].map((nonce) => ask(nonce ?? randomBytes(32)).hello)
  await vi.advanceTimersByTimeAsync(60)
  const [alone, ...together] = await Promise.all(hellos)
  expect(alone?.nonces).toEqual([first])
  for (const hello of together) expect(hello.nonces).toEqual(others)
  for (const { document, nonces } of [alone, ...together] as EnclaveHello[])
    expect(document).toEqual(helloNonce(nonces))
  expect(madeAt).toHaveLength(2)
})

test('documents are 50 ms apart, for 64 hellos at most, and nobody waits for more than those before', async () => {
  const { ask, madeAt } = documents()
  const hellos = nonces(1 + 64 + 64 + 10).map((nonce) => ask(nonce).hello)
  await vi.advanceTimersByTimeAsync(200)
  const counts = (await Promise.all(hellos)).map((hello) => hello.nonces.length)
  expect(counts).toEqual([1, ...Array(128).fill(64), ...Array(10).fill(10)])
  const [begun = 0] = madeAt
  expect(madeAt.map((at) => Math.round(at - begun))).toEqual([0, 50, 100, 150])
})

test('one document is made at a time, however long it takes', async () => {
  let running = 0
  let most = 0
  const { ask } = documents(async ({ nonce }) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 300))
    running -= 1
    return nonce
  })
  const hellos = nonces(3).map((nonce) => ask(nonce).hello)
  await vi.advanceTimersByTimeAsync(1_000)
  await Promise.all(hellos)
  expect(most).toBe(1)
})

test('who is gone before the document costs none', async () => {
  const { ask, madeAt } = documents()
  const [first, gone] = nonces(2).map(ask)
  gone?.forget()
  await vi.advanceTimersByTimeAsync(1_000)
  expect((await first?.hello)?.nonces).toHaveLength(1)
  expect(madeAt).toHaveLength(1)
})

test('a secure module that fails fails these hellos, and not the next ones', async () => {
  let isBroken = true
  const { ask } = documents(async ({ nonce }) => {
    if (isBroken) throw new Error('no module')
    return nonce
  })
  await expect(ask(randomBytes(32)).hello).rejects.toThrow('no module')
  isBroken = false
  const { hello } = ask(randomBytes(32))
  await vi.advanceTimersByTimeAsync(60)
  expect((await hello).nonces).toHaveLength(1)
})
