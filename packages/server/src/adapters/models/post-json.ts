import type * as z from 'zod'
import { ModelError } from '../../ports/model.ts'
import { type Outbound, OutboundError } from '../../ports/outbound.ts'

/** Posts JSON to a model's API and reads its answer in the form that it promises. Rejects with `ModelError`. */
export async function postJson<schema extends z.ZodType>(
  outbound: Outbound,
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: unknown },
  schema: schema,
): Promise<z.output<schema>> {
  const { status, body: answered } = await outbound({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body), 'utf8'),
  }).catch((cause: unknown) => {
    const isFinal = cause instanceof OutboundError && cause.code === 'refused'
    throw new ModelError(isFinal ? 'refused' : 'unavailable', { cause })
  })
  if (status === 408 || status === 409 || status === 429 || status >= 500)
    throw new ModelError('unavailable', { status })
  if (status !== 200) throw new ModelError('refused', { status })
  try {
    return schema.parse(JSON.parse(Buffer.from(answered).toString('utf8')))
  } catch (cause) {
    throw new ModelError('unavailable', { status, cause })
  }
}
