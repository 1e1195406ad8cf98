/** A policy or rules that are not of their closed schema; `message` names the field, never its value. */
export class PolicyError extends Error {
  override name = 'PolicyError'
}
