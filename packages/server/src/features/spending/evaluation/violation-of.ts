import type { PolicyViolation } from '@symbolon/api'
import type { Refusal } from '@symbolon/policy'

const textMax = 8_192
const clipped = (text: string | null) => (text === null ? null : text.slice(0, textMax))

/** A refusal as `details` of `policy_violation`, its texts clipped to what the wire takes. */
export const violationOf = ({
  reason,
  layer,
  rule,
  limit,
  actual,
  value,
  fee,
}: Refusal): PolicyViolation => ({
  reason,
  layer,
  rule,
  limit: clipped(limit),
  actual: clipped(actual),
  ...(value !== undefined && { value }),
  ...(fee !== undefined && { fee }),
})
