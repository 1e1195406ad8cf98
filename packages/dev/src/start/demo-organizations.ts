import type { DevOrganization } from '../routes/dev-routes.ts'
import type { DevFile } from './dev-file.ts'
import { httpCall } from './http-call.ts'

/** The two demo organizations: the former start's where their keys still work, new ones otherwise. */
export async function demoOrganizations(
  baseUrl: string,
  former: DevFile['organizations'] | undefined,
): Promise<DevFile['organizations']> {
  const [client, tee] = await Promise.all([
    demoOrganization(baseUrl, 'client', former?.client),
    demoOrganization(baseUrl, 'tee', former?.tee),
  ])
  return { client, tee }
}

async function demoOrganization(
  baseUrl: string,
  signingMode: 'client' | 'tee',
  former: DevOrganization | undefined,
): Promise<DevOrganization> {
  if (former) {
    const headers = { authorization: `Bearer ${former.secret_key}` }
    const { status } = await httpCall(`${baseUrl}/v1/s2s/wallets?limit=1`, { headers })
    if (status === 200) return former
  }
  const { status, body } = await httpCall(`${baseUrl}/dev/organizations`, {
    method: 'POST',
    body: { name: `Demo (${signingMode} mode)`, signing_mode: signingMode },
  })
  if (status !== 201) throw new Error(`The demo organization was not made: ${status} ${JSON.stringify(body)}`)
  return body as DevOrganization
}
