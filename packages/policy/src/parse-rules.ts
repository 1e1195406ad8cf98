import {
  integerOf,
  listOf,
  readAmount,
  readField,
  readFlag,
  readObject,
  textOf,
  wordOf,
} from './json-fields.ts'
import { readChain } from './parse-policy.ts'
import type { Rules } from './policy.ts'

const names = [
  'blocked_chains',
  'blocked_recipients',
  'max_native_per_tx_cap',
  'max_native_total_cap',
  'token_mode',
  'allow_raw_hash',
  'max_session_ttl_seconds',
]

/**
 * Reads the rules of an organization, in the words of the wire: the same closed schema as `OrganizationRules` of
 * `@symbolon/api`. Anything else is a `PolicyError`.
 */
export function parseRules(json: unknown): Rules {
  const fields = readObject(json, 'rules', names)
  return {
    blockedChains: readField(fields, 'blocked_chains', listOf(readChain, 64), []),
    blockedRecipients: readField(fields, 'blocked_recipients', listOf(textOf(256), 1024), []),
    maxNativePerTxCap: readField(fields, 'max_native_per_tx_cap', readAmount, null),
    maxNativeTotalCap: readField(fields, 'max_native_total_cap', readAmount, null),
    tokenMode: readField(fields, 'token_mode', wordOf(['none', 'allowlist', 'any'] as const), 'allowlist'),
    allowRawHash: readField(fields, 'allow_raw_hash', readFlag, false),
    maxSessionTtlSeconds: readField(fields, 'max_session_ttl_seconds', integerOf(60, 3_153_600_000), null),
  }
}

/** The rules of an organization that has set none. */
export const defaultRules: Rules = parseRules({})
