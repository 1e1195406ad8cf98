import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { effectiveToJson } from './effective-to-json.ts'
import { payload, token } from './effects.fuzz.ts'
import { evaluate } from './evaluate.ts'
import { intersect } from './intersect.ts'
import { parseLayers } from './parse-layers.ts'
import { names, requestOf } from './random-layers.fuzz.ts'

/** An account of an exchange on Stellar, and its customers 1111 and 6666 (SEP-23), by the network's own library. */
const exchange = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ'
const friend = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAEK5C24'
const thief = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAA2BJQQK'
const usd = `USD:${exchange}`

type Lists = { readonly agent?: readonly string[]; readonly session?: readonly string[]; blocked?: string[] }

function layersOf({ agent, session, blocked = [] }: Lists) {
  return parseLayers({
    organization: { token_mode: 'any', blocked_recipients: blocked },
    ...(agent && { agent: [{ allowed_recipients: agent }] }),
    session: session ? { allowed_recipients: session } : {},
  })
}

function reason(to: string, lists: Lists): string | null {
  const request = requestOf(payload([token(usd, 5n, to)], 'stellar'))
  return evaluate(compile(layersOf(lists), names), request).refusal?.reason ?? null
}

const effective = (lists: Lists) => effectiveToJson(intersect(layersOf(lists), names)).allowed_recipients

test('a customer of an account on an allow list is allowed alone, an account with all its customers', () => {
  const of = (list: readonly string[]) => [friend, thief, exchange].map((to) => reason(to, { session: list }))
  expect(of([friend])).toEqual([null, 'recipient_not_allowed', 'recipient_not_allowed'])
  expect(of([exchange])).toEqual([null, null, null])
  expect(of([exchange, friend])).toEqual([null, null, null])
  expect(of([])).toEqual(Array(3).fill('recipient_not_allowed'))
})

test('a customer on a deny list blocks the account and all of its customers', () => {
  for (const blocked of [friend, exchange])
    for (const to of [friend, thief, exchange]) {
      expect(reason(to, { blocked: [blocked] })).toBe('recipient_blocked')
      expect(reason(to, { blocked: [blocked], session: [to] })).toBe('recipient_blocked')
    }
})

test('lists of an account and of its customer leave the customer, whichever layer has which', () => {
  for (const lists of [
    { agent: [exchange], session: [friend] },
    { agent: [friend], session: [exchange] },
  ]) {
    expect([friend, thief, exchange].map((to) => reason(to, lists))).toEqual([
      null,
      'recipient_not_allowed',
      'recipient_not_allowed',
    ])
    expect(effective(lists)).toEqual([friend])
    expect(effective({ ...lists, blocked: [thief] })).toEqual([])
  }
  expect(effective({ agent: [thief], session: [friend] })).toEqual([])
})
