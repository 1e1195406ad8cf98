import { randomBytes } from 'node:crypto'
import type { SigningDigest } from '@symbolon/networks'
import { expect, test } from 'vitest'
import { type Allowed, allowedRequests } from './allowed-requests.ts'

const allowedOf = (...payloads: Uint8Array[]): Allowed => {
  const [first = new Uint8Array(32), ...others] = payloads
  const digest = (payload: Uint8Array): SigningDigest => ({ payload, scheme: 'plain' })
  const cost = { spends: [], digestSha256: '', endsAtMs: null, expiresAtMs: null }
  return { digests: [digest(first), ...others.map(digest)], ...cost }
}

test('an allowed request is used once, by the same bytes and no others', () => {
  const allowed = allowedRequests()
  const request = randomBytes(600)
  const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  allowed.keep(request, allowedOf(a, b))
  for (let i = 0; i < request.length; i += 7) {
    expect(allowed.take(request.map((byte, at) => (at === i ? byte ^ 1 : byte)))).toBeUndefined()
  }
  expect(allowed.take(request.subarray(1))).toBeUndefined()
  expect(allowed.take(Buffer.from(request))).toEqual(allowedOf(a, b))
  expect(allowed.take(request)).toBeUndefined()
})

test('it is a copy: the request that it came with is wiped', () => {
  const allowed = allowedRequests()
  const request = randomBytes(600)
  const payload = Buffer.from('a message that is signed as it is')
  allowed.keep(request, allowedOf(payload))
  payload.fill(0)
  expect(Buffer.from(allowed.take(request)?.digests[0].payload ?? []).toString()).toBe(
    'a message that is signed as it is',
  )
})

test('the oldest goes when there are 1,024, or 4 MiB of what would be signed', () => {
  const allowed = allowedRequests()
  const requests = Array.from({ length: 1025 }, () => randomBytes(40))
  for (const request of requests) allowed.keep(request, allowedOf(request))
  expect(allowed.take(requests[0] ?? randomBytes(1))).toBeUndefined()
  for (const request of requests.slice(1)) expect(allowed.take(request)).toBeDefined()

  const long = Array.from({ length: 5 }, () => randomBytes(1 << 20))
  for (const request of long) allowed.keep(request, allowedOf(request))
  expect(long.map((request) => allowed.take(request) !== undefined)).toEqual([false, true, true, true, true])
  // What was taken counts no more, nor what is kept twice.
  for (let i = 0; i < 9; i++) allowed.keep(requests[1] ?? randomBytes(1), allowedOf(randomBytes(1 << 20)))
  allowed.keep(requests[2] ?? randomBytes(1), allowedOf(randomBytes(1 << 20)))
  expect(allowed.take(requests[1] ?? randomBytes(1))).toBeDefined()
})
