import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrlComplaint, openPool, refusePooler } from '@symbolon/server/pool'

const reachedWithinMs = 5_000
const pauseMs = 250
/** Classes of SQLSTATE that pass by themselves: connection trouble, too many of them, a server that is starting or stopping. */
const passing = /^(08|53|57)/

/**
 * Resolves with the URL once its database answers. Rejects with the variable's name, and without the password, as soon as the
 * database says no, or when it says nothing for 5 s.
 */
export async function reachableDatabase(url: string): Promise<string> {
  const complaint = databaseUrlComplaint(url)
  if (complaint !== undefined) throw new Error(`DATABASE_URL: ${complaint}`)
  const deadline = performance.now() + reachedWithinMs
  for (;;) {
    const reason = await refusalOf(url, deadline - performance.now())
    if (reason === undefined) {
      await refusePooler(url)
      return url
    }
    const isFinal = /^[0-9A-Z]{5}$/.test(reason.code) && !passing.test(reason.code)
    if (isFinal || performance.now() + pauseMs >= deadline)
      throw new Error(`DATABASE_URL: ${withoutPassword(url)} cannot be used (${reason.text})`)
    await sleep(pauseMs)
  }
}

async function refusalOf(url: string, withinMs: number): Promise<{ code: string; text: string } | undefined> {
  const sql = openPool(url, { connectionsMax: 1 })
  const isLate = sleep(Math.max(1, withinMs), { code: '', text: 'no answer' }, { ref: false })
  const answer = sql`select 1`.then(
    () => undefined,
    (error: unknown) => {
      const { code = '', message } = error as NodeJS.ErrnoException
      return { code, text: message || code }
    },
  )
  try {
    return await Promise.race([answer, isLate])
  } finally {
    sql.end({ timeout: 0 }).catch(() => {})
  }
}

/** `URL` does not parse several hosts. */
function withoutPassword(text: string): string {
  return text.replace(/(:\/\/[^@/?#:]*):[^@/?#]*@/, '$1:***@').replace(/([?&]password=)[^&#]*/g, '$1***')
}
