import type { SdkError } from '../result.ts'

/** Why a policy refused: the layer, its rule, and the allowed and the requested value. */
export type PolicyViolation = {
  readonly reason: string
  readonly layer: 'organization' | 'agent' | 'session'
  /** The policy's field, or a rule that holds for all agents. */
  readonly rule: string
  readonly limit: string | null
  readonly actual: string | null
  /** Over a native total: what of `actual` this payload would have added, apart. */
  readonly value?: string
  readonly fee?: string
}

/** The details of a `policy_violation`; undefined for any other error or none. */
export function violationOf(error: SdkError | null): PolicyViolation | undefined {
  return error?.code === 'policy_violation' ? (error.details as PolicyViolation) : undefined
}
