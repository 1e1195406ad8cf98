import type { KeyObject } from 'node:crypto'
import { type Fail, type LimitName, limits } from '@symbolon/api'
import { equalBytes } from '@symbolon/crypto'
import { keyedHash } from '@symbolon/crypto/node'
import type { Sql, Transaction } from '../../db/pool.ts'
import type { Limiter, RateGrant } from '../../http/limiter.ts'
import type { Random } from '../../ports/random.ts'
import { type CodePlace, type CodeSubject, mailedCodesStore } from './mailed-codes.store.ts'

/** What a code is for; a code of one purpose is worth nothing for another, nor for another process. */
export type CodePurpose = 'recovery-code' | 'export-code' | 'import-code'

/** A fresh code, and what is stored of it. */
export type DrawnCode = { code: string; salt: Uint8Array; codeHash: Uint8Array }

const saltLength = 16

/** The codes that open a recovery or a key transfer: caps on starting, five guesses, throttles on guessing. */
export function mailedCodes({
  sql,
  pepper,
  random,
  limiter,
  drawCode,
}: {
  sql: Sql
  /** Keys the hashes of codes. */
  pepper: KeyObject
  random: Random
  limiter: Limiter
  /** Draws six uniform digits. */
  drawCode: () => string
}) {
  const hash = (purpose: CodePurpose, processId: string, salt: Uint8Array, code: string) =>
    keyedHash(pepper, JSON.stringify([purpose, processId, Buffer.from(salt).toString('hex'), code]))

  return {
    /** Draws the code of a process that is about to start. */
    draw(purpose: CodePurpose, processId: string): DrawnCode {
      const [code, salt] = [drawCode(), random(saltLength)]
      return { code, salt, codeHash: hash(purpose, processId, salt, code) }
    },

    /** Whoever is over the cap is told so without taking the organization's lock. */
    async refuseOverCap(
      subject: CodeSubject,
      limit: LimitName,
      fail: Fail<'rate_limited'>,
      rate: (grant: RateGrant) => void,
    ): Promise<void> {
      const seconds = await mailedCodesStore.secondsUntilNext(sql, subject)
      if (seconds > 0) throw refuse(limit, seconds, fail, rate)
    },

    /** Starts a process in one transaction if the cap allows: nobody else of the organization starts one meanwhile. */
    async start<result>(
      { organizationId, limit, ...subject }: CodeSubject & { organizationId: string; limit: LimitName },
      fail: Fail<'rate_limited'>,
      rate: (grant: RateGrant) => void,
      run: (tx: Transaction) => Promise<result>,
    ): Promise<result> {
      const { result, remaining } = await sql.begin(async (tx) => {
        await mailedCodesStore.lockOrganization(tx, organizationId)
        const seconds = await mailedCodesStore.secondsUntilNext(tx, subject)
        if (seconds > 0) throw refuse(limit, seconds, fail, rate)
        const made = await run(tx)
        return { result: made, remaining: await mailedCodesStore.startsLeft(tx, subject) }
      })
      const { burst, periodMs } = limits[limit]
      rate({ granted: true, burst, remaining, retrySeconds: 0, resetSeconds: (burst * periodMs) / 1000 })
      return result as result
    },

    /** Runs a transaction that first locks what every archive, logout and event of the organization waits for. */
    async finish<result>(organizationId: string, run: (tx: Transaction) => Promise<result>): Promise<result> {
      const result = await sql.begin(async (tx) => {
        await mailedCodesStore.lockOrganization(tx, organizationId)
        return run(tx)
      })
      return result as result
    },

    /** Bounds the guesses of one address, and at all processes of an organization together. */
    async throttle(
      { organizationId, address }: { organizationId: string; address: string },
      fail: Fail<'rate_limited'>,
      rate: (grant: RateGrant) => void,
    ): Promise<void> {
      const permits = await Promise.all([
        limiter.acquire('recovery-address', address),
        limiter.acquire('recovery-organization', organizationId),
      ])
      const refused = permits.find(({ granted }) => !granted)
      if (refused === undefined) return
      rate(refused)
      throw fail('rate_limited', { retryAfterSeconds: Math.max(1, Math.ceil(refused.retrySeconds)) })
    },

    /** Takes a guess, then compares: `spent` when the process takes none any more, `wrong` (the fifth locks) or `right`. */
    async guess(
      place: CodePlace,
      purpose: CodePurpose,
      id: string,
      code: string,
    ): Promise<'right' | 'wrong' | 'spent'> {
      const guess = await mailedCodesStore.takeGuess(sql, place, id)
      if (guess === undefined) return 'spent'
      if (equalBytes(hash(purpose, id, guess.salt, code), guess.codeHash) && guess.isCodeAlive) return 'right'
      await mailedCodesStore.lockIfSpent(sql, place, id)
      return 'wrong'
    },

    /** Gives the guess of a right code back, whose secret could not be answered. */
    giveBack: (place: CodePlace, id: string): Promise<void> => mailedCodesStore.giveGuessBack(sql, place, id),
  }
}

export type MailedCodes = ReturnType<typeof mailedCodes>

function refuse(
  limit: LimitName,
  retrySeconds: number,
  fail: Fail<'rate_limited'>,
  rate: (grant: RateGrant) => void,
) {
  const { burst } = limits[limit]
  rate({ granted: false, burst, remaining: 0, retrySeconds, resetSeconds: retrySeconds })
  return fail('rate_limited', { retryAfterSeconds: retrySeconds })
}
