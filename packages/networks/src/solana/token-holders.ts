import { sha256 } from '#sha2'
import { fromBase58 } from '../codec/base58.ts'
import { concat } from '../codec/concat.ts'
import { isSameBytes } from '../codec/same-bytes.ts'
import { isEd25519Point } from '../curves/ed25519-key.ts'
import type { TokenAccount } from '../policy/agent-decoded.ts'
import { associatedTokenAddress } from './associated-token-program.ts'

/** Which of some accounts hold token accounts. */
export type TokenHolders = {
  /** How many of them can hold a token account at all. */
  readonly count: number
  /** The search for one payload: what it names may cost no more than looking for one account among 256 of them. */
  forPayload(): HolderSearch
}

/** Finds holders by the addresses of their token accounts alone. */
export type HolderSearch = {
  /** Which of the accounts holds an account of a token; null if none is found, or if the payload's work is used up. */
  holderOf(account: TokenAccount, token: string): string | null
}

/** What is left of a payload's work, in derived addresses: some 3 µs each. */
type Budget = { derivations: number }

/**
 * Each lower bump is needed half as often as the one above: the address of one owner in sixteen million is below these, and is
 * nobody's here. More would make an account that is nobody's dearer.
 */
const bumpMax = 255
const bumpsCount = 24
const answersMax = 256
const derivationsMax = 256 * bumpsCount
/** Base58 of 32 bytes. */
const addressText = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/**
 * The accounts of a list that are Solana's, as holders of their associated token accounts: the address of such a one follows
 * from owner, program and token, so that a transfer to it need not name its owner. Answers are kept, since the same few
 * accounts are paid again and again.
 */
export function tokenHolders(owners: readonly string[]): TokenHolders {
  const keys = owners.flatMap((owner) => {
    const key = keyOf(owner)
    return key ? [{ owner, key }] : []
  })
  const answers = new Map<string, string | null>()
  return {
    count: keys.length,
    forPayload() {
      const budget = { derivations: derivationsMax }
      return {
        holderOf(account, token) {
          if (keys.length === 0) return null
          const name = `${account.address} ${account.program} ${token}`
          const known = answers.get(name)
          if (known !== undefined) return known
          const holder = search(keys, { account, token }, budget)
          if (holder === undefined) return null
          if (answers.size === answersMax) answers.clear()
          answers.set(name, holder)
          return holder
        },
      }
    },
  }
}

/** The owner, null where it is none of them, undefined where the budget does not say. */
function search(
  owners: readonly { readonly owner: string; readonly key: Uint8Array }[],
  { account: { address, program }, token }: { account: TokenAccount; token: string },
  budget: Budget,
): string | null | undefined {
  const [account, programKey, mint] = [keyOf(address), keyOf(program), keyOf(token)]
  // An account with a key of its own is derived from nobody.
  if (!account || !programKey || !mint || isEd25519Point(account)) return null
  const seeded = owners.map(({ owner, key }) => ({ owner, seeds: concat(key, programKey, mint, suffix) }))
  for (let bump = bumpMax; bump > bumpMax - bumpsCount; bump--) {
    for (const { owner, seeds } of seeded) {
      budget.derivations -= 1
      if (budget.derivations < 0) return undefined
      if (isSameBytes(derived(seeds, bump), account) && isFirst(seeds, bump)) return owner
    }
  }
  return null
}

const marker = new TextEncoder().encode('ProgramDerivedAddress')
/** What is hashed behind owner, program and token: the bump, which is put in for each, and by whose program it is derived. */
const suffix = concat(Uint8Array.of(0), keyOf(associatedTokenAddress) ?? new Uint8Array(0), marker)
const bumpAt = 3 * 32

/** What seeds and a bump come to (docs: program derived addresses). */
function derived(seeds: Uint8Array, bump: number): Uint8Array {
  seeds[bumpAt] = bump
  return sha256(seeds)
}

/** Whether no higher bump gives an address without a key: the program takes the highest. */
function isFirst(seeds: Uint8Array, bump: number): boolean {
  for (let higher = bumpMax; higher > bump; higher--) {
    if (!isEd25519Point(derived(seeds, higher))) return false
  }
  return true
}

function keyOf(text: string): Uint8Array | undefined {
  const key = addressText.test(text) ? fromBase58(text) : undefined
  return key?.length === 32 ? key : undefined
}
