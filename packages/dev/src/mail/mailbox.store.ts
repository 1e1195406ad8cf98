import type { Sql } from '@symbolon/server/pool'

const messagesMax = 1_000

/** One received mail as `GET /dev/mailbox/messages` answers it; `html` is null for plain text mail. */
export type MailboxMessage = {
  id: string
  to: string
  subject: string
  text: string
  html: string | null
  received_at: string
}
/** A received mail; it becomes one message per recipient. */
export type ReceivedMail = { recipients: string[]; subject: string; text: string; html: string | null }

/** The development mailbox: the last 1,000 messages, in the database so that every process sees the same. */
export const mailboxStore = {
  /** Makes the table; repeatable and safe from several processes at once. */
  async prepare(sql: Sql): Promise<void> {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('symbolon dev mailbox'))`
      await tx`create schema if not exists dev`
      await tx`create table if not exists dev.mailbox (
        id bigint generated always as identity primary key, recipient text not null, subject text not null,
        body_text text not null, body_html text, received_at timestamptz not null default clock_timestamp())`
      await tx`create index if not exists mailbox_by_recipient on dev.mailbox (lower(recipient), id desc)`
    })
  },

  /** Keeps an email and forgets the oldest ones beyond the limit. */
  async add(sql: Sql, mail: ReceivedMail): Promise<void> {
    // PostgreSQL's text cannot hold NUL.
    const clean = (text: string) => text.replaceAll('\0', '')
    const html = mail.html === null ? null : clean(mail.html)
    await sql`with added as (
        insert into dev.mailbox (recipient, subject, body_text, body_html)
        select recipient, ${clean(mail.subject)}, ${clean(mail.text)}, ${html}
        from unnest(${mail.recipients.map(clean)}::text[]) as recipient returning id)
      delete from dev.mailbox where id <= (select max(id) from added) - ${messagesMax}`
  },

  /** Messages, newest first; only those to one address (any case) where `to` is given. */
  async list(sql: Sql, to?: string): Promise<MailboxMessage[]> {
    const rows = await sql<(Omit<MailboxMessage, 'received_at'> & { received_at: Date })[]>`
      select id::text, recipient as "to", subject, body_text as text, body_html as html, received_at
      from dev.mailbox m ${to === undefined ? sql`` : sql`where lower(recipient) = lower(${to})`}
      order by m.id desc limit ${messagesMax}`
    return rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() }))
  },
}
