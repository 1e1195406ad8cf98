/** What is wrong with a text that came along damaged, as `, and …`; nothing for one that looks whole. Never repeats the text. */
export function flawOf(text: unknown): string {
  if (typeof text !== 'string') return ''
  if (text.trim() === '') return ', and is empty: is the environment variable set?'
  return /["'`“”‘’\s]/.test(text)
    ? `, and has ${/^bearer/i.test(text) ? 'Bearer' : 'quotes, spaces or line breaks'} in it: remove that`
    : ''
}

/** A kind of key: what an option wants, how it begins, where one comes from, and what to say about kinds that are mistaken for it, by how they begin. */
export type KeyKind = {
  readonly wanted: string
  readonly prefix: string
  readonly where: string
  readonly mistaken: Readonly<Record<string, string>>
}

/** Where API keys come from. */
export const whereKeys =
  'Create one in the portal, under API keys; in development, npm start prints one, and dev.json has it.'

/** Throws a `TypeError` that says why a text is not the key that an option takes. Never repeats the text. */
export function requireKey(text: unknown, { wanted, prefix, where, mistaken }: KeyKind): void {
  const given = String(text)
  if (given.startsWith(prefix) && /^[0-9A-Za-z]{49}$/.test(given.slice(prefix.length))) return
  const bare = given.replace(/^\W+/, '')
  const other = Object.keys(mistaken).find((start) => bare.startsWith(start))
  const flaw = other === undefined ? flawOf(text) : `, and this is ${mistaken[other]}`
  const isKey = /^[a-z]{2,3}[-_]/.test(given)
  const said = `${wanted}${flaw || (isKey ? ', and this one is incomplete or of another service' : '')}`
  // Whoever has the key needs no other one.
  throw new TypeError(`${said.replace(/[^.?]$/, '$&.')}${flaw.endsWith('that') ? '' : ` ${where}`}`)
}
