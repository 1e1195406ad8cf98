import { policyReasonRows } from '@symbolon/policy/reasons'
import * as z from 'zod'
import { Amount } from './formats.ts'

export { policyReasonRows } from '@symbolon/policy/reasons'

/** Why a policy refuses; stable. */
export const policyReasons = policyReasonRows.map(({ code }) => code)

/** Why a policy refuses. */
export const PolicyReason = z.enum(policyReasons).meta({ id: 'PolicyReason' })

/** Whose rule it was. */
export const PolicyLayer = z.enum(['organization', 'agent', 'session']).meta({ id: 'PolicyLayer' })

const limitText = z.string().max(8192).nullable()

/** `details` of a `policy_violation`: the rule, its limit and the actual value, as text. */
export const PolicyViolation = z
  .strictObject({
    reason: PolicyReason,
    layer: PolicyLayer,
    rule: z.string().meta({ description: 'The policy field, or a rule that applies to all agents.' }),
    limit: limitText,
    actual: limitText,
    value: Amount.exactOptional().meta({
      description: 'Over a native total: the value of this payload. `actual` includes it.',
    }),
    fee: Amount.exactOptional().meta({
      description: 'Over a native total: the fee of this payload in the worst case. `actual` includes it.',
    }),
  })
  .meta({ id: 'PolicyViolation' })

/** One asset of a session's budget; null is unlimited. */
export const Spent = z
  .strictObject({
    asset: z.string().meta({ description: 'Native symbol, or chain and token.' }),
    spent: Amount,
    reserved: Amount.meta({ description: 'Reserved for signatures in progress, or in doubt after a crash.' }),
    remaining: Amount.nullable(),
  })
  .meta({ id: 'Spent' })

/** The whole evaluation, in order, that `dry_run` returns beside the preview. */
export const PolicyDecision = z
  .strictObject({
    outcome: z.enum(['allowed', 'rejected']),
    reason: PolicyReason.nullable(),
    layer: PolicyLayer.nullable(),
    rule: z.string().nullable(),
    limit: limitText,
    actual: limitText,
    method: z.enum(['signMessage', 'sendTransaction']),
    effects: z.array(
      z.strictObject({
        kind: z.enum(['transfer', 'approval', 'call', 'admin', 'unknown']),
        asset: z.string().nullable(),
        amount: Amount.nullable(),
        to: z.string().nullable(),
      }),
    ),
    checks: z.array(
      z.strictObject({
        rule: z.string(),
        layer: PolicyLayer,
        limit: limitText,
        actual: limitText,
        passed: z.boolean(),
      }),
    ),
    spends: z.array(
      z.strictObject({ asset: z.string(), amount: Amount, remaining: Amount.nullable() }).meta({
        description: 'What signing would cost, and what would remain of each budget.',
      }),
    ),
  })
  .meta({ id: 'PolicyDecision' })

/** A policy's reason. */
export type PolicyReason = z.output<typeof PolicyReason>
/** The details of a refusal. */
export type PolicyViolation = z.output<typeof PolicyViolation>
/** A dry run's decision. */
export type PolicyDecision = z.output<typeof PolicyDecision>
/** One row of a budget. */
export type Spent = z.output<typeof Spent>
