import { failure, type SdkError } from '../result.ts'
import { notThePlatform } from './explain-unreachable.ts'
import type { HttpCallPorts } from './http-call.ts'
import { readAnswer } from './read-answer.ts'
import { redirectSaid } from './redirect.ts'
import { schemeHint } from './safe-url.ts'

const limitMs = 5_000

/** How a program outside of pages reaches its platform, with errors that name the address while no call has been answered yet. */
export function explained(
  baseUrl: string,
  ask: typeof fetch,
): Pick<HttpCallPorts, 'baseUrl' | 'fetch' | 'explain'> {
  let isKnown = false
  const explain = async (failed: SdkError): Promise<SdkError> => {
    if (failed.code === 'invalid_answer') return notThePlatform(baseUrl, failed)
    if (failed.code !== 'not_found') {
      const elsewhere = await redirectAt(baseUrl, ask)
      if (elsewhere !== undefined) return { ...failed, message: elsewhere }
      const message = `The service at ${baseUrl} could not be reached: check baseUrl, and that the platform runs.`
      return { ...failed, message: `${message}${schemeHint(baseUrl)}` }
    }
    isKnown ||= await isPlatform(baseUrl, ask)
    if (isKnown) return failed
    // Without `docs_url`, which would lead to the wrong host too.
    const { status } = failed
    const unread = failure('invalid_answer', '', { ...(status !== undefined && { status }) }).error
    return notThePlatform(baseUrl, unread)
  }
  return { baseUrl, fetch: ask, explain }
}

/** What to say of an address that redirects, asked without a credential; undefined of any other. */
async function redirectAt(baseUrl: string, ask: typeof fetch): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await ask(`${baseUrl}/v1/frame`, { redirect: 'manual', signal })
    return redirectSaid(baseUrl, '/v1/frame', answer)
  } catch {
    return undefined
  }
}

/**
 * Whether the API is here: whoever asks learns from it where the frame is. The frame's own origin and the addresses below the portal say
 * `not_found` as the API does for what is absent. A platform that gives no answer just now is not called into question.
 */
async function isPlatform(baseUrl: string, ask: typeof fetch): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(limitMs)
    const { error } = (await readAnswer(await ask(`${baseUrl}/v1/frame`, { redirect: 'error', signal })))
      .result
    return !['not_found', 'invalid_answer'].includes(error?.code ?? '')
  } catch {
    return true
  }
}
