import type { validationDetails } from '@symbolon/api'
import { networks } from '@symbolon/networks'
import { transactionForms } from '@symbolon/networks/names'

type Details = ReturnType<typeof validationDetails>

/**
 * Adapts the issues of a body to its chain: outside EVM, a transaction is a string, so one issue that says this replaces those about the
 * fields of an EVM transaction.
 */
export function explainIssues(details: Details, body: unknown): Details {
  const { type, chain: handle, transaction } = (body ?? {}) as Readonly<Record<string, unknown>>
  const chain = typeof handle === 'string' ? networks.chain(handle) : undefined
  const isObject = typeof transaction === 'object' && transaction !== null
  if (type !== 'transaction' || chain === undefined || chain.network === 'evm' || !isObject) return details
  const form = transactionForms[chain.network as keyof typeof transactionForms]
  const issue = { path: ['transaction'], message: `must be a string on ${chain.handle}: ${form}` }
  return { issues: [issue, ...details.issues.filter(({ path }) => path[0] !== 'transaction')] }
}
