import { domainToASCII } from 'node:url'

/**
 * The mailbox of a normalised address: what follows a `+` in the local part leads to the same one with nearly every provider,
 * and a domain in other letters is the same domain (RFC 5891). For counting
 * only; a code opens its own spelling alone.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const plus = email.indexOf('+')
  const local = email.slice(0, plus > 0 && plus < at ? plus : at)
  const domain = email.slice(at + 1)
  return `${local}@${domainToASCII(domain) || domain}`
}
