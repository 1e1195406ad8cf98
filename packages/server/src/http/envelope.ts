import type { ApiError } from '@symbolon/api'

/** The body of a success. */
export const successBody = (data: unknown): string => `{"data":${JSON.stringify(data)},"error":null}`

/** The body of a failure: code and message, `details` where a client can act on them, `data` for an existing wallet. */
export function errorBody(error: ApiError): string {
  const { code, message, details, data } = error
  return JSON.stringify({
    data: data ?? null,
    error: { code, message, ...(details !== undefined && { details }) },
  })
}
