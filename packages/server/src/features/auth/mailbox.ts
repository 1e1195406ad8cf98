/**
 * The mailbox of a normalised address: what follows a `+` in the local part leads to the same one with nearly every provider. For counting
 * only; a code opens its own spelling alone.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  const plus = email.indexOf('+')
  return plus > 0 && plus < at ? email.slice(0, plus) + email.slice(at) : email
}
