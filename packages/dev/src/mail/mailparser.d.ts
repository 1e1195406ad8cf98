declare module 'mailparser' {
  import type { Readable } from 'node:stream'

  /** The part of mailparser's result that we read; the package ships no types. */
  export type ParsedMail = { subject?: string; text?: string; html?: string | false }

  /** Parses a whole MIME message. */
  export function simpleParser(
    source: Readable | Buffer,
    options: { skipImageLinks: boolean; skipTextToHtml: boolean },
  ): Promise<ParsedMail>
}
