import type { HttpCallPorts, Unreachable } from './http-call.ts'

const limitMs = 5_000

/**
 * Why no call of a page reaches the platform. Browsers hide a refusal from the page that it concerns; but every page may read where the
 * wallet frame is, so if that can be read, the platform is up and refuses this page's origin.
 */
export async function explainUnreachable(
  { baseUrl, fetch }: Pick<HttpCallPorts, 'baseUrl' | 'fetch'>,
  origin: string | undefined,
): Promise<Unreachable> {
  const hint = `If ${baseUrl} is up, check the organization's allowed_origins and the CSP of this page.`
  if (origin === undefined || !(await isUp({ baseUrl, fetch }))) return { hint }
  if (origin === 'null')
    return { hint, message: 'This page has no origin, as a file has none. Serve it over http or https.' }
  const place = `Settings, Allowed origins, in the portal (${baseUrl}/portal)`
  return {
    hint,
    message: `${origin} is not in the allowed origins of this organization. Add it under ${place}.`,
  }
}

async function isUp(ports: Pick<HttpCallPorts, 'baseUrl' | 'fetch'>): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(limitMs)
    const settings = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' } as const
    return (await ports.fetch(`${ports.baseUrl}/v1/frame`, { ...settings, signal })).ok
  } catch {
    return false
  }
}
