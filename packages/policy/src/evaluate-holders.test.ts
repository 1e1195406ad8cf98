import type { AgentEffect } from '@symbolon/networks'
import { propertyRuns } from '@symbolon/testing/properties'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile } from './compile.ts'
import { payload, token } from './effects.fuzz.ts'
import { evaluate } from './evaluate.ts'
import { parseLayers } from './parse-layers.ts'
import { names, requestOf } from './random-layers.fuzz.ts'

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const program = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
/** Owners and their accounts of USDC, as @solana-program/token derives them, and an account that is nobody's. */
const friend = '7VbizJ7a3m2hBdsSxmHVdW2vRWcd8n3czNL4qxnq9op4'
const friends = '2nmwrpVhzNxoKwApLjnNkGXTcfPaAxpMqqW3L2joKGLA'
const thief = '3xLpNqTR6zVcQtnBELobUYxHa9iJq2G3fkuHKqkqF8aD'
const thiefs = 'VBKkj4hVfrmpMwZcZ5jLchV5X6o3PfGGuetgKdzFSfy'
const plain = '5uJppQQd3RKdSdos4VdGSmj3Y28qodhNkVKXsA2vadLH'
const evm = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'

/** USDC that goes to an account, of a holder whom the bytes name or do not name. */
function sent(account: string, to = account): AgentEffect {
  return { ...token(usdc, 5n, to), tokenAccount: { address: account, program } }
}

function refusal(effect: AgentEffect, allowed: readonly string[] | null, blocked: readonly string[] = []) {
  const layers = parseLayers({
    organization: { token_mode: 'any', blocked_recipients: blocked },
    session: allowed === null ? {} : { allowed_recipients: allowed },
  })
  return evaluate(compile(layers, names), requestOf(payload([effect], 'solana'))).refusal
}

test('whose a token account is follows from the owners that are allowed', () => {
  expect(refusal(sent(friends), [evm, thief, friend])).toBeNull()
  expect(refusal(sent(friends), [friend], [thief])).toBeNull()
  expect(refusal(sent(friends), [thief])).toMatchObject({
    reason: 'recipient_not_allowed',
    limit: thief,
    actual: `the unknown holder of ${friends}`,
  })
  const approval: AgentEffect = { ...sent(friends), kind: 'approval' }
  expect(refusal(approval, [thief])?.reason).toBe('recipient_not_allowed')
})

test('a refusal says who it is, or that nobody knows', () => {
  const blocked = { reason: 'recipient_blocked', rule: 'blocked_recipients', layer: 'organization' }
  expect(refusal(sent(friends), [friend], [friend])).toMatchObject({ ...blocked, actual: friend })
  expect(refusal(sent(friends), [friend], [friends])).toMatchObject({ ...blocked, actual: friends })
  expect(refusal(sent(friends, friend), null, [friends])).toMatchObject({ ...blocked, actual: friends })
  const unknown = { ...blocked, limit: `${evm}, ${thief}`, actual: `the unknown holder of ${plain}` }
  expect(refusal(sent(plain), null, [evm, thief])).toMatchObject(unknown)
  expect(refusal(sent(plain), [plain], [evm, thief])).toMatchObject(unknown)
  expect(refusal(sent(plain), [friend], [evm, thief])?.reason).toBe('recipient_not_allowed')
})

test('lists without an account of Solana block nobody there', () => {
  expect(refusal(sent(plain), null, [evm, 'thief.near'])).toBeNull()
  expect(refusal(sent(plain), [plain], [evm])).toBeNull()
  // An offer to anybody stays one.
  expect(refusal(token(usdc, 5n, null), null, [evm])).toMatchObject({
    reason: 'recipient_blocked',
    actual: 'anybody',
  })
})

test('nothing goes to an account that the lists do not vouch for', () => {
  const texts = [friend, friends, thief, thiefs, plain, evm]
  const some = fc.subarray(texts)
  const holders = new Map([
    [friends, friend],
    [thiefs, thief],
  ])
  let allowed = 0
  const property = fc.property(
    fc.constantFrom(friends, thiefs, plain),
    fc.option(some, { nil: null, freq: 4 }),
    fc.option(some, { nil: null, freq: 2 }),
    fc.subarray(texts, { maxLength: 2 }),
    (account, agent, session, blocked) => {
      const layers = parseLayers({
        organization: { token_mode: 'any', blocked_recipients: blocked },
        agent: agent && { allowed_recipients: agent },
        session: session && { allowed_recipients: session },
      })
      const { refusal: refused } = evaluate(
        compile(layers, names),
        requestOf(payload([sent(account)], 'solana')),
      )
      const lists = [agent, session].filter((list) => list !== null)
      const holder = holders.get(account) ?? ''
      const isOnAll = (text: string) => lists.every((list) => list.includes(text))
      const isHolderKnown = lists.length > 0 && isOnAll(holder)
      const isBlocked = blocked.includes(account) || blocked.includes(holder)
      const mayBeBlocked = !isHolderKnown && blocked.some((text) => text !== evm)
      const isAllowed = !isBlocked && !mayBeBlocked && (isHolderKnown || isOnAll(account))
      expect(refused === null).toBe(isAllowed)
      if (isAllowed) allowed++
    },
  )
  const numRuns = propertyRuns(1500)
  fc.assert(property, { numRuns })
  expect(allowed).toBeGreaterThan(numRuns / 15)
})
