import type { Queryable, Sql, Transaction } from '../../db/pool.ts'
import type { Random } from '../../ports/random.ts'
import { failure, isFailure } from '../../runtime/failure.ts'
import { type LinkSubject, type MailedLink, mailedLinksStore } from './mailed-links.store.ts'

/** What the links in our emails do. */
export type LinkKind = 'forget-device' | 'cancel-recovery' | 'cancel-export'

/** The context for making links; `hashToken` is keyed, and `baseUrl` is where their pages are. */
export type LinksCtx = { random: Random; hashToken: (token: string) => Uint8Array; baseUrl: string }

/** What a page says. It is shown as it is: nothing in it needs escaping. */
export type LinkWords = { title: string; text: string }

/**
 * What the button of a link does, in a transaction that also uses the link up, and the words of its pages, none of which needs escaping.
 * `run` says whether there was anything left to do; without, the link stays unused. `past` says what has happened already, where the button
 * can do nothing any more. `afterwards` runs once the transaction has been committed.
 */
export type LinkAction = {
  words: { title: string; question: string; button: string; done: string }
  past(sql: Queryable, link: MailedLink): Promise<LinkWords | undefined>
  run(tx: Transaction, link: Pick<LinkSubject, 'organizationId' | 'subjectId'>): Promise<boolean>
  afterwards?: () => void
}

/** What every kind of link does; a link of a kind that is not here is unknown. */
export type LinkActions = Partial<Record<LinkKind, LinkAction>>

/** What a visit of a link leads to: its page, what has happened instead, or why there is none. */
export type Visit =
  | { outcome: 'open' | 'done'; action: LinkAction }
  | { outcome: 'past'; words: LinkWords }
  | { outcome: 'unknown' }

const tokenLength = 32

/** The path of the pages, which the token follows. */
export const linksPath = '/links'

/** Makes a link that works once, and stores it in the transaction that queues its email. Returns its URL, a secret. */
export async function mailLink(
  { random, hashToken, baseUrl }: LinksCtx,
  tx: Transaction,
  link: { organizationId: string; kind: LinkKind; subjectId: string; lifetimeMs: number },
): Promise<string> {
  // Hex, so that nothing in it looks like a code of six digits.
  const token = Buffer.from(random(tokenLength)).toString('hex')
  await mailedLinksStore.insert(tx, { ...link, tokenHash: hashToken(token) })
  return `${baseUrl}${linksPath}/${token}`
}

/** Finds what a link does, without doing it: programs that scan emails open links too. */
export async function visitLink(sql: Queryable, actions: LinkActions, tokenHash: Uint8Array): Promise<Visit> {
  const link = await mailedLinksStore.find(sql, tokenHash)
  const action = link && actions[link.kind as LinkKind]
  if (link === undefined || action === undefined) return { outcome: 'unknown' }
  const words = await action.past(sql, link)
  if (words !== undefined) return { outcome: 'past', words }
  return link.isLive ? { outcome: 'open', action } : { outcome: 'past', words: expired }
}

const expired: LinkWords = {
  title: 'Link no longer valid',
  text: 'This link was used before, or it has expired.',
}

/** Presses the button: uses the link up and does what it is for, both or neither. */
export async function useLink(sql: Sql, actions: LinkActions, tokenHash: Uint8Array): Promise<Visit> {
  const visit = await visitLink(sql, actions, tokenHash)
  if (visit.outcome !== 'open') return visit
  const { action } = visit
  const done = await sql.begin(async (tx) => {
    const link = await mailedLinksStore.use(tx, tokenHash)
    const isDone = link !== undefined && (await action.run(tx, link))
    // Takes the use back, so that a used link is one that did something.
    return isDone || failure('expired')
  })
  if (isFailure(done)) {
    const now = await visitLink(sql, actions, tokenHash)
    return now.outcome === 'open' ? { outcome: 'past', words: expired } : now
  }
  action.afterwards?.()
  return { outcome: 'done', action }
}
