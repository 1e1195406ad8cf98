import * as z from 'zod'
import { operatorFrameLimits } from '../limits.ts'
import type { Route } from '../route.ts'

const { charactersMax, bodyBytesMax } = operatorFrameLimits

/** Bytes of the operators' channel, which only an operator's command and the enclave can read. */
const OperatorFrame = z
  .strictObject({
    frame: z
      .string()
      .max(charactersMax)
      .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url without padding')
      .meta({ description: 'Up to 64 KiB, base64url without padding.' }),
  })
  .meta({ id: 'OperatorFrame' })

/** A frame from an operator's command to the enclave, or back. */
export type OperatorFrame = z.output<typeof OperatorFrame>

/** Carries orders of operators to the enclave. */
export const sendOperatorFrame = {
  id: 'enclave.operator',
  method: 'POST',
  path: '/v1/enclave/operator',
  lane: 'public',
  summary: "Relay an operator's frame to the enclave",
  description:
    'For `symbolon enclave rotate`, `seal` and `accept-state`. Frame and answer are encrypted between the operator and the enclave: the platform relays both and can read neither. No credential is needed: the enclave accepts frames only from the operators that its manifest names.',
  body: OperatorFrame,
  status: 200,
  data: OperatorFrame,
  errors: ['forbidden', 'unavailable'],
  limit: 'enclave-operator',
  bodyBytesMax,
} as const satisfies Route
