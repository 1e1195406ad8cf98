import {
  integerOf,
  listOf,
  type Read,
  readAmount,
  readField,
  readObject,
  readRequired,
  readTimestamp,
  textOf,
  wordOf,
} from './json-fields.ts'
import type { AllowedContract, AllowedToken, Policy } from './policy.ts'
import { PolicyError } from './policy-error.ts'

const readName = textOf(256)
const readSelector: Read<string> = (json, path) => {
  if (typeof json !== 'string' || !/^0x[0-9a-fA-F]{8}$/.test(json))
    throw new PolicyError(`${path}: no selector.`)
  return json.toLowerCase()
}

/** Reads the handle of a chain; whether it exists is asked where policies are stored. */
export const readChain = textOf(64)

const readToken: Read<AllowedToken> = (json, path) => {
  const fields = readObject(json, path, ['chain', 'token', 'max_per_tx', 'max_total'])
  return {
    chain: readRequired(fields, 'chain', readChain),
    token: readRequired(fields, 'token', readName),
    maxPerTx: readField(fields, 'max_per_tx', readAmount, null),
    maxTotal: readField(fields, 'max_total', readAmount, null),
  }
}

const readContract: Read<AllowedContract> = (json, path) => {
  const fields = readObject(json, path, ['chain', 'address', 'selectors'])
  return {
    chain: readRequired(fields, 'chain', readChain),
    address: readRequired(fields, 'address', readName),
    selectors: readField(fields, 'selectors', listOf(readSelector, 64), null),
  }
}

const names = [
  'max_spend_per_tx_native',
  'max_spend_total_native',
  'allowed_chains',
  'allowed_methods',
  'allowed_recipients',
  'allowed_tokens',
  'allowed_contracts',
  'max_fee_per_tx_native',
  'max_tx_count',
  'expires_at',
]

/**
 * Reads the policy of an agent or session, in the words of the wire: the same closed schema as `AgentPolicy` of `@symbolon/api`,
 * without its dependency. Anything else is a `PolicyError`.
 */
export function parsePolicy(json: unknown): Policy {
  const fields = readObject(json, 'policy', names)
  return {
    maxSpendPerTxNative: readField(fields, 'max_spend_per_tx_native', readAmount, null),
    maxSpendTotalNative: readField(fields, 'max_spend_total_native', readAmount, null),
    allowedChains: readField(fields, 'allowed_chains', listOf(readChain, 64), null),
    allowedMethods: readField(
      fields,
      'allowed_methods',
      listOf(wordOf(['signMessage', 'sendTransaction'] as const), 2),
      null,
    ),
    allowedRecipients: readField(fields, 'allowed_recipients', listOf(readName, 256), null),
    allowedTokens: readField(fields, 'allowed_tokens', listOf(readToken, 128), null),
    allowedContracts: readField(fields, 'allowed_contracts', listOf(readContract, 128), null),
    maxFeePerTxNative: readField(fields, 'max_fee_per_tx_native', readAmount, null),
    maxTxCount: readField(fields, 'max_tx_count', integerOf(0, 1_000_000_000), null),
    expiresAtMs: readField(fields, 'expires_at', readTimestamp, null),
  }
}
