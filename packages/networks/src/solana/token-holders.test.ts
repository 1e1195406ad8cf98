import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import { type Address, address, isOffCurveAddress } from '@solana/kit'
import {
  ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenPda,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { expect, test } from 'vitest'
import { solanaAddress } from '../testing/solana-transaction.ts'
import { tokenHolders } from './token-holders.ts'

const token2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const wrapped = address('So11111111111111111111111111111111111111112')
const owners = Array.from({ length: 64 }, (_, index) => solanaAddress(index + 100))
const [friend = wrapped, other = wrapped] = owners
const stranger = solanaAddress(50)

const derive = (owner: Address, mint: Address = usdc, tokenProgram: Address = TOKEN_PROGRAM_ADDRESS) =>
  findAssociatedTokenPda({ owner, mint, tokenProgram })
const accountOf = async (...of: Parameters<typeof derive>) => (await derive(...of))[0]
const at = (account: string, program: string = TOKEN_PROGRAM_ADDRESS) => ({ address: account, program })

test('the owner of an associated token account is found as the SDK derives it, at whatever bump', async () => {
  const holders = tokenHolders(owners)
  expect(holders.count).toBe(owners.length)
  const bumps = new Set<number>()
  for (const owner of owners) {
    for (const [mint, program] of [
      [usdc, TOKEN_PROGRAM_ADDRESS],
      [wrapped, TOKEN_PROGRAM_ADDRESS],
      [usdc, token2022],
    ] as const) {
      const [account, bump] = await derive(owner, mint, program)
      bumps.add(bump)
      expect(holders.forPayload().holderOf(at(account, program), mint)).toBe(owner)
    }
  }
  // Whoever looked at the highest bumps only would have found half of them.
  expect(bumps.size).toBeGreaterThan(4)
})

test('an account of another owner, token or program is nobody’s', async () => {
  const { holderOf } = tokenHolders([friend, other]).forPayload()
  const account = await accountOf(friend)
  expect(holderOf(at(account), wrapped)).toBeNull()
  expect(holderOf(at(account, token2022), usdc)).toBeNull()
  expect(holderOf(at(await accountOf(stranger)), usdc)).toBeNull()
  expect(holderOf(at(friend), usdc)).toBeNull()
  expect(holderOf(at(stranger), usdc)).toBeNull()
  expect(holderOf(at(account), usdc)).toBe(friend)
  for (const [text, mint, program] of [
    ['', usdc, TOKEN_PROGRAM_ADDRESS],
    [account, 'entry 1 of table x', TOKEN_PROGRAM_ADDRESS],
    [account, usdc, '1'.repeat(33)],
    [`0x${'11'.repeat(32)}`, usdc, TOKEN_PROGRAM_ADDRESS],
  ] as const) {
    expect(holderOf(at(text, program), mint)).toBeNull()
  }
})

test('an address of a lower bump than the program takes is nobody’s', async () => {
  const { holderOf } = tokenHolders([friend]).forPayload()
  const [account, first] = await derive(friend)
  const found: string[] = []
  for (let bump = first; bump > first - 12; bump--) {
    const seeds = [friend, TOKEN_PROGRAM_ADDRESS, usdc].flatMap((text) => [...base58.decode(text)])
    const program = base58.decode(ASSOCIATED_TOKEN_PROGRAM_ADDRESS)
    const marker = new TextEncoder().encode('ProgramDerivedAddress')
    const derived = base58.encode(sha256(Uint8Array.of(...seeds, bump, ...program, ...marker)))
    if (isOffCurveAddress(address(derived))) found.push(derived)
  }
  const [highest, ...lower] = found
  expect(highest).toBe(account)
  expect(lower.length).toBeGreaterThan(0)
  for (const derived of lower) expect(holderOf(at(derived), usdc)).toBeNull()
})

test('only addresses of Solana can hold token accounts', () => {
  const others = [
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    'ab'.repeat(32),
    'friend.near',
    'z'.repeat(44),
    '1'.repeat(33),
    '1'.repeat(5000),
  ]
  expect(tokenHolders(others).count).toBe(0)
  expect(tokenHolders([...others, friend]).count).toBe(1)
  expect(tokenHolders(['1'.repeat(32)]).count).toBe(1)
})

test('answers are right however many were asked before', async () => {
  const holders = tokenHolders([friend, other])
  const account = await accountOf(friend)
  const ask = (address: string, mint: string) => holders.forPayload().holderOf(at(address), mint)
  for (let round = 0; round < 2; round++) {
    expect(ask(account, usdc)).toBe(friend)
    expect(ask(account, wrapped)).toBeNull()
    for (let index = 0; index < 300; index++) expect(ask(solanaAddress(index + 200), usdc)).toBeNull()
  }
})

test('a payload searches no longer than for one account among 256; what is known costs it nothing', async () => {
  const list = Array.from({ length: 256 }, (_, index) => solanaAddress(index + 1_000))
  const holders = tokenHolders([...list.slice(1), friend])
  const account = await accountOf(friend)
  const { holderOf } = holders.forPayload()
  // Nobody's account uses up the search.
  expect(holderOf(at(await accountOf(stranger)), usdc)).toBeNull()
  expect(holderOf(at(account), usdc)).toBeNull()
  expect(holders.forPayload().holderOf(at(account), usdc)).toBe(friend)
  expect(holderOf(at(account), usdc)).toBe(friend)
})
