/** A platform that an operator talks to; nothing that it answers is verified yet. */
export type OperatorsChannel = {
  /** The attestation that it answers for a nonce. */
  attestation(nonce: Uint8Array): Promise<unknown>
  /** Carries a frame to the enclave, and answers the enclave's. */
  send(frame: Uint8Array): Promise<Uint8Array>
}

/** The platform was not reached, or answered with an error. The message is a sentence; `code` is the API's. */
export class OperatorsChannelError extends Error {
  override readonly name = 'OperatorsChannelError'
  readonly code: string | undefined

  constructor(message: string, code?: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

// An attestation may wait for 10 s.
const limitMs = 15_000
const answerBytesMax = 1 << 20

/** The operators' channel through an API host at `baseUrl`. Everything rejects with `OperatorsChannelError`. */
export function operatorsChannelHttp(baseUrl: string): OperatorsChannel {
  const platform = baseUrl.replace(/\/+$/, '')
  return {
    attestation: (nonce) =>
      ask(platform, `/v1/attestation?nonce=${Buffer.from(nonce).toString('base64url')}`),
    async send(frame) {
      const data = await ask(platform, '/v1/enclave/operator', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ frame: Buffer.from(frame).toString('base64url') }),
      })
      const answer = (data as { frame?: unknown } | null)?.frame
      if (typeof answer !== 'string') throw new OperatorsChannelError(`${platform} answered without a frame.`)
      return Buffer.from(answer, 'base64url')
    },
  }
}

/** The `data` of an answer. */
async function ask(platform: string, path: string, request: RequestInit = {}): Promise<unknown> {
  const { status, body } = await answerOf(platform, path, request)
  const answer = body as { data?: unknown; error?: { code?: unknown } | null } | null
  if (status === 200 && answer?.data !== undefined) return answer.data
  const code = typeof answer?.error?.code === 'string' ? answer.error.code : undefined
  const named = code !== undefined && /^[a-z_]{1,60}$/.test(code) ? code : undefined
  throw new OperatorsChannelError(`${platform} answered ${status}${named ? ` (${named})` : ''}.`, named)
}

async function answerOf(
  platform: string,
  path: string,
  request: RequestInit,
): Promise<{ status: number; body: unknown }> {
  try {
    const answer = await fetch(platform + path, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    })
    return { status: answer.status, body: parsed(await shortText(answer)) }
  } catch (cause) {
    throw new OperatorsChannelError(
      `No answer from ${platform}: does the platform run there?`,
      undefined,
      cause,
    )
  }
}

/** The body; nothing of one that is longer than any answer. */
async function shortText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > answerBytesMax) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
