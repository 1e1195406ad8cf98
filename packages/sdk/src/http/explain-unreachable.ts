import type { HttpCallPorts, Unreachable } from './http-call.ts'

const limitMs = 5_000

/**
 * Why no call of a page reaches the platform. Browsers hide a refusal from the page that it concerns; but every page may read where the
 * wallet frame is, so if that can be read, the platform is up and refuses this page's origin.
 */
export async function explainUnreachable(
  ports: Pick<HttpCallPorts, 'baseUrl' | 'fetch'>,
  origin: string | undefined,
): Promise<Unreachable> {
  const { baseUrl } = ports
  const hint = `If ${baseUrl} is up, check the organization's allowed_origins and the CSP of this page.`
  if (origin === undefined || !(await isUp(ports))) return { hint }
  const message =
    origin === 'null'
      ? 'This page has no origin, as a file has none. Serve it over http or https.'
      : `${origin} is not in the allowed origins of this organization. Add it under Settings, Allowed origins, in the portal (${baseUrl}/portal).`
  return { hint, message }
}

/** By a request that needs no preflight. */
async function isUp(ports: Pick<HttpCallPorts, 'baseUrl' | 'fetch'>): Promise<boolean> {
  const signal = AbortSignal.timeout(limitMs)
  try {
    return (
      await ports.fetch(`${ports.baseUrl}/v1/frame`, { credentials: 'omit', cache: 'no-store', signal })
    ).ok
  } catch {
    return false
  }
}
