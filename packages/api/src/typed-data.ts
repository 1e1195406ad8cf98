import * as z from 'zod'

const Field = z.strictObject({ name: z.string().max(256), type: z.string().min(1).max(256) })

// Handed on as it came: a copy made key by key would lose `__proto__` and so sign something else.
const Values = z
  .custom<Readonly<Record<string, unknown>>>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      !Object.hasOwn(value, '__proto__'),
    { error: ({ input }) => (input === undefined ? 'is required' : 'must be an object') },
  )
  .meta({ type: 'object', additionalProperties: true })

/** EIP-712 typed data in the form of `eth_signTypedData_v4`; the decoder checks its values. */
export const TypedData = z
  .strictObject({
    domain: Values,
    types: z.record(z.string(), z.array(Field).max(256)),
    primaryType: z.string().min(1).max(256),
    message: Values,
  })
  .meta({ id: 'TypedData' })
