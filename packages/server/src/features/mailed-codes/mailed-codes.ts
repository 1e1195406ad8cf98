import type { KeyObject } from 'node:crypto'
import { type LimitName, limits } from '@symbolon/api'
import { equalBytes } from '@symbolon/crypto'
import { keyedHash } from '@symbolon/crypto/node'
import { lockOrganization } from '../../db/organization-lock.ts'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { Limiter, ReportRate } from '../../http/limiter.ts'
import type { Random } from '../../ports/random.ts'
import { clientBlock, clientNetwork } from '../../runtime/client-block.ts'
import { type Failure, failure, isFailure, rateLimited } from '../../runtime/failure.ts'
import { drawCode } from './draw-code.ts'
import { type CodePlace, type CodeSubject, mailedCodesStore } from './mailed-codes.store.ts'

/** The context for making and checking emailed codes; `pepper` keys their hashes. */
export type CodesCtx = { sql: Sql; pepper: KeyObject; random: Random; limiter: Limiter }

/** What a code is for; it is worth nothing for another purpose or another process. */
export type CodePurpose = 'recovery-code' | 'export-code' | 'import-code'

/** A fresh code, and what is stored of it. */
export type MailedCode = { code: string; salt: Uint8Array; codeHash: Uint8Array }

/** The processes that a cap counts, and the name of the cap. */
type CappedSubject = CodeSubject & { limit: LimitName }

/** Reports a rate to the headers of the answer. */
type Rate = ReportRate

const saltLength = 16

/** Makes the code of a process that is about to start. */
export function makeCode({ pepper, random }: CodesCtx, purpose: CodePurpose, processId: string): MailedCode {
  const [code, salt] = [drawCode(random), random(saltLength)]
  return { code, salt, codeHash: hashOf(pepper, purpose, processId, salt, code) }
}

/** Refuses a start over the cap before the organization's lock is taken. */
export const checkStartCap = ({ sql }: CodesCtx, subject: CappedSubject, rate: Rate) =>
  refuseOverCap(sql, subject, rate)

/** Starts a process in one transaction if the cap allows it. The organization's other starts wait meanwhile. */
export async function startWithCode<result>(
  { sql }: CodesCtx,
  { organizationId, ...subject }: CappedSubject & { organizationId: string },
  rate: Rate,
  start: (tx: Transaction) => Promise<result>,
): Promise<result | Failure<'rate_limited'>> {
  const started = await sql.begin(async (tx) => {
    await lockOrganization(tx, organizationId)
    const refused = await refuseOverCap(tx, subject, rate)
    if (refused !== undefined) return refused
    const result = await start(tx)
    return { result, remaining: await mailedCodesStore.startsLeft(tx, subject) }
  })
  if (isFailure(started)) return started
  const { burst, periodMs } = limits[subject.limit]
  const { remaining } = started
  rate({ isGranted: true, burst, remaining, retrySeconds: 0, resetSeconds: (burst * periodMs) / 1000 })
  return started.result
}

/**
 * Limits the guesses of a user, who may have a process whose right code costs none, of a client address and its network, and those at all
 * processes of an organization together. What one of them refuses takes nothing from the next.
 */
export async function throttleGuesses(
  { limiter }: CodesCtx,
  { organizationId, userId, address }: { organizationId: string; userId: string; address: string },
  rate: Rate,
): Promise<Failure<'rate_limited'> | undefined> {
  const network = clientNetwork(address)
  const buckets: readonly (readonly [LimitName, string])[] = [
    ['recovery-user', userId],
    ['recovery-address', clientBlock(address)],
    ...(network === undefined ? [] : [['recovery-network', network] as const]),
    ['recovery-organization', organizationId],
  ]
  for (const [name, key] of buckets) {
    const grant = await limiter.acquire(name, key, rate.weight)
    if (grant.isGranted) continue
    rate(grant)
    return rateLimited(grant)
  }
  return undefined
}

/** Spends a guess, then compares: `spent` when the process takes no more guesses, `wrong` (the fifth locks) or `right`. */
export async function guessCode(
  { sql, pepper }: CodesCtx,
  process: { place: CodePlace; purpose: CodePurpose; id: string },
  code: string,
): Promise<'right' | 'wrong' | 'spent'> {
  const { place, purpose, id } = process
  const guess = await sql.alone((tx) => mailedCodesStore.spendGuess(tx, place, id))
  if (guess === undefined) return 'spent'
  const hash = hashOf(pepper, purpose, id, guess.salt, code)
  if (equalBytes(hash, guess.codeHash) && guess.isCodeAlive) return 'right'
  await sql.alone((tx) => mailedCodesStore.lockIfSpent(tx, place, id))
  return 'wrong'
}

/** Gives back the guess of a right code whose result could not be answered. */
export const giveGuessBack = ({ sql }: CodesCtx, place: CodePlace, id: string): Promise<void> =>
  sql.alone((tx) => mailedCodesStore.giveGuessBack(tx, place, id))

const hashOf = (pepper: KeyObject, purpose: CodePurpose, processId: string, salt: Uint8Array, code: string) =>
  keyedHash(pepper, JSON.stringify([purpose, processId, Buffer.from(salt).toString('hex'), code]))

async function refuseOverCap(
  sql: Sql | Transaction,
  { limit, ...subject }: CappedSubject,
  rate: Rate,
): Promise<Failure<'rate_limited'> | undefined> {
  const retrySeconds = await mailedCodesStore.secondsUntilNext(sql, subject)
  if (retrySeconds === 0) return undefined
  const { burst } = limits[limit]
  rate({ isGranted: false, burst, remaining: 0, retrySeconds, resetSeconds: retrySeconds })
  return failure('rate_limited', { retryAfterSeconds: retrySeconds })
}
