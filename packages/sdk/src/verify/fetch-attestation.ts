import { backend } from '../adapters/backend.ts'
import { given } from '../given.ts'
import { redirectSaid } from '../http/redirect.ts'
import { baseAddress, schemeHint, withoutSlash } from '../http/safe-url.ts'

/** Where to ask. `fetch` replaces the runtime's own. */
export type AttestationSource = {
  /** The platform's URL, as the SDK's clients take it. */
  readonly baseUrl: string
  readonly fetch?: typeof fetch | undefined
}

/** An attestation as the platform answered it, and the nonce that it was asked with; nothing is verified yet. */
export type FetchedAttestation = { readonly attestation: unknown; readonly nonce: Uint8Array }

/** Thrown where the platform gave no attestation: it was not reached, or answered with an error. */
export class AttestationUnavailableError extends Error {
  override readonly name = 'AttestationUnavailableError'
}

const nonceBytes = 32
const limitMs = 15_000
const answerBytesMax = 1 << 20

/** Asks a platform for its attestation with a fresh nonce. Rejects with `AttestationUnavailableError`. */
export async function fetchAttestation(source: AttestationSource): Promise<FetchedAttestation> {
  given('fetchAttestation', source, ['baseUrl'])
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  return { attestation: await answerOf(source, `/v1/attestation?nonce=${base64Url(nonce)}`), nonce }
}

/** Asks a platform for the attestation of one receipt key. Rejects with `AttestationUnavailableError`. */
export async function fetchKeyAttestation(
  source: AttestationSource & { readonly kid: string },
): Promise<unknown> {
  const { kid } = given('fetchKeyAttestation', source, ['baseUrl', 'kid'])
  return answerOf(source, `/v1/attestation/keys/${encodeURIComponent(kid)}`)
}

/** The JSON that the platform answers at a path. Rejects with `AttestationUnavailableError` for an error, too. */
export async function answerOf(
  { baseUrl, fetch: ask = backend.fetch }: AttestationSource,
  path: string,
): Promise<unknown> {
  const url = baseAddress(baseUrl)
  const address = withoutSlash(url)
  let answer: Response
  let text: string
  try {
    // Nobody else is asked than the platform that was named.
    answer = await ask(address + path, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) })
    text = await shortText(answer)
  } catch (cause) {
    throw new AttestationUnavailableError(
      `No answer from ${address}: does the platform run there?${schemeHint(address)}`,
      { cause },
    )
  }
  const elsewhere = redirectSaid(address, path, answer)
  if (elsewhere !== undefined) throw new AttestationUnavailableError(elsewhere)
  // A path of the portal or the documentation, copied from a browser.
  const below = url.pathname === '/' ? '' : ` Is it ${url.origin}?`
  if (!answer.ok)
    throw new AttestationUnavailableError(`${address} answered ${answer.status}${codeIn(text)}.${below}`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AttestationUnavailableError(
      `${address} answered with something other than JSON: is this the platform's address?${below}`,
      { cause },
    )
  }
}

/** The body; nothing of one that is longer than any attestation. */
async function shortText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for (const reader = body?.getReader(); reader !== undefined; ) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    if (text.length > answerBytesMax) {
      await reader.cancel()
      return ''
    }
  }
  return text
}

function codeIn(text: string): string {
  try {
    const code: unknown = JSON.parse(text)?.error?.code
    return typeof code === 'string' && /^[a-z_]{1,60}$/.test(code) ? ` (${code})` : ''
  } catch {
    return ''
  }
}

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
