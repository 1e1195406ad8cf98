import type { SdkError } from '../result.ts'
import { readAnswer } from './read-answer.ts'
import { schemeHint } from './safe-url.ts'

/** The platform as a client is given it. */
export type Platform = {
  readonly baseUrl: string
  readonly publishableKey: string
  readonly fetch: typeof fetch
}

const limitMs = 5_000

/**
 * Why no call of a page gets an answer. Browsers hide a refusal from the page that it concerns, but every page may read what `GET
 * /v1/frame` says to its key and origin: they are blamed if the platform blames them, and then its answer is the error.
 */
export async function explainUnreachable(platform: Platform, failed: SdkError): Promise<SdkError> {
  const { baseUrl, publishableKey } = platform
  if (failed.code === 'not_found') return failed
  if (failed.code === 'invalid_answer') return notThePlatform(baseUrl, failed)
  const ask = (mode: RequestMode, at = baseUrl) =>
    platform.fetch(`${at}/v1/frame?publishable_key=${publishableKey}`, {
      mode,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(limitMs),
    })
  const away = { ...failed, message: `The service at ${baseUrl} could not be reached. Try again.` }
  const because = (hint: string) => ({
    ...failed,
    message: `Nothing that the SDK understands answers at ${baseUrl}: check baseUrl, and that the platform runs.${schemeHint(baseUrl)}`,
    details: { hint },
  })
  const moved = (to: string | undefined) => ({
    ...failed,
    message: `${baseUrl} is not the platform's address, ${to} is: use that as baseUrl.`,
  })
  try {
    const answer = await ask('cors')
    const { error } = (await readAnswer(answer)).result
    if (error?.code === 'invalid_answer') return notThePlatform(baseUrl, error)
    return answer.redirected ? moved(answer.url.split('/v1/')[0]) : (error ?? away)
  } catch {
    // Of a redirect to https, browsers say nothing to pages.
    const secure = baseUrl.replace(/^http:(?=[^:]+$)/, 'https:')
    const isThere = () =>
      ask('cors', secure)
        .then(readAnswer)
        .then(
          ({ result }) => !result.error,
          () => false,
        )
    if (secure !== baseUrl && (await isThere())) return moved(secure)
    // An answer that the page may not read still says that somebody is there.
    return ask('no-cors').then(
      () => because('Something answers there, but not as the platform does. Check baseUrl, and any proxy.'),
      () =>
        because(
          'Nothing answers there that a page may read. Check baseUrl (scheme, host, port, no path), that the platform runs, and connect-src in the CSP of this page.',
        ),
    )
  }
}

/** The error where something else than the platform answered; what a proxy says in its place (5xx) passes. */
export function notThePlatform(baseUrl: string, error: SdkError): SdkError {
  const message = `What answers at ${baseUrl} is not the platform's API: check baseUrl.`
  return (error.status ?? 0) < 500 ? { ...error, message } : error
}
