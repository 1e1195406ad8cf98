import type { Sql, Transaction } from '../../db/pool.ts'
import type { Random } from '../../ports/random.ts'
import { type LinkSubject, mailedLinksStore } from './mailed-links.store.ts'

/** What the links in our emails do. */
export type LinkKind = 'forget-device' | 'cancel-recovery' | 'cancel-export'

/** The context for making links; `hashToken` is keyed, and `baseUrl` is where their pages are. */
export type LinksCtx = { random: Random; hashToken: (token: string) => Uint8Array; baseUrl: string }

/**
 * What the button of a link does, in a transaction that also uses the link up, and the words of its pages. They are shown as they are:
 * nothing in them needs escaping. `afterwards` runs once the transaction has been committed.
 */
export type LinkAction = {
  words: { title: string; question: string; button: string; done: string }
  run(tx: Transaction, link: Omit<LinkSubject, 'kind'>): Promise<void>
  afterwards?: () => void
}

/** What every kind of link does; a link of a kind that is not here is unknown. */
export type LinkActions = Partial<Record<LinkKind, LinkAction>>

/** What a visit of a link leads to: its page, or why there is none. */
export type Visit = { outcome: 'open' | 'done' | 'over'; action: LinkAction } | { outcome: 'unknown' }

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
export async function visitLink(sql: Sql, actions: LinkActions, tokenHash: Uint8Array): Promise<Visit> {
  const link = await mailedLinksStore.find(sql, tokenHash)
  const action = link && actions[link.kind as LinkKind]
  if (link === undefined || action === undefined) return { outcome: 'unknown' }
  return { outcome: link.isLive ? 'open' : 'over', action }
}

/** Presses the button: uses the link up and does what it is for, both or neither. */
export async function useLink(sql: Sql, actions: LinkActions, tokenHash: Uint8Array): Promise<Visit> {
  const visit = await visitLink(sql, actions, tokenHash)
  if (visit.outcome !== 'open') return visit
  const { action } = visit
  const isDone = await sql.begin(async (tx) => {
    const link = await mailedLinksStore.use(tx, tokenHash)
    if (link === undefined) return false
    await action.run(tx, { organizationId: link.organizationId, subjectId: link.subjectId })
    return true
  })
  if (isDone) action.afterwards?.()
  return { outcome: isDone ? 'done' : 'over', action }
}
