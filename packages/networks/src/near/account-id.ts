const label = '[a-z0-9]+(?:[-_][a-z0-9]+)*'
const accountId = new RegExp(`^${label}(?:\\.${label})*$`)
/** Accounts that are made from a key or a hash: nobody can have chosen their name (NEP-518, NEP-616). */
const derived = /^(?:[0-9a-f]{64}|0[xs][0-9a-f]{40})$/

/** Whether a text is the id of an account: labels with dots, 2 to 64 characters (docs: account id rules). */
export function isAccountId(text: string): boolean {
  return text.length >= 2 && text.length <= 64 && accountId.test(text)
}

/** Whether an account id follows from a key, so that it is one wallet's or another's. */
export function isDerivedAccount(id: string): boolean {
  return derived.test(id)
}
