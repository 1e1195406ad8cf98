import { wipe } from '@symbolon/crypto'
import * as z from 'zod'
import { KmsError } from '../../ports/kms.ts'
import { googleToken, type ServiceAccount } from './google-token.ts'
import { type KmsHttpAnswer, kmsHttp } from './kms-http.ts'

/** Where Google's services are. */
export type GcpPlaces = { api: string; metadata: string }

/** Calls Cloud KMS by the path of a resource: GET, or POST with a body. Answers the body's bytes; rejects with `KmsError`. */
export type GcpCall = (path: string, signal: AbortSignal, body?: object | Uint8Array) => Promise<Uint8Array>

const googleApi = 'https://cloudkms.googleapis.com'
const google: GcpPlaces = { api: googleApi, metadata: 'http://metadata.google.internal' }
const refusal = z.object({ error: z.object({ status: z.string().regex(/^[A-Z_]{1,40}$/) }) })

/** Makes calls with the tokens of a service account, or of the metadata server. */
export function gcpCalls(
  account: ServiceAccount | undefined,
  { api, metadata }: GcpPlaces = google,
): GcpCall {
  const send = kmsHttp({ ca: undefined })
  const tokens = googleToken({ account, audience: `${googleApi}/`, metadata: { url: metadata, send } })
  return async (path, signal, body) => {
    const answer = await send({
      method: body === undefined ? 'GET' : 'POST',
      url: `${api}/v1/${path}`,
      headers: { authorization: `Bearer ${await tokens.read(signal)}` },
      ...(body !== undefined && { body }),
      signal,
    })
    if (answer.status === 401) tokens.forget()
    if (answer.status !== 200) throw refused(answer)
    return answer.body
  }
}

/** What does not open is `INVALID_ARGUMENT`; a disabled version is `FAILED_PRECONDITION`, with the same HTTP status. */
function refused({ status, body }: KmsHttpAnswer): KmsError {
  let reason = ''
  try {
    reason = refusal.parse(JSON.parse(Buffer.from(body).toString())).error.status
  } catch {
    // Not Google's own answer: the status alone counts.
  }
  wipe(body)
  const cause = new Error(`Google Cloud KMS answered ${status} ${reason}`.trimEnd())
  if (status === 404) return new KmsError('unknown_key', cause)
  return new KmsError(reason === 'INVALID_ARGUMENT' ? 'unauthenticated' : 'unavailable', cause)
}
