import { firstOwner } from '../identity/first-owner.ts'
import type { DevOrganization } from '../routes/dev-routes.ts'
import type { DevFile } from './dev-file.ts'
import { httpCall } from './http-call.ts'

/** The two demo organizations: the former start's where their keys still work, new ones otherwise. */
export async function demoOrganizations(
  baseUrl: string,
  former: DevFile['organizations'] | undefined,
): Promise<DevFile['organizations']> {
  // The portal opens the older one, and the guides begin in TEE mode.
  const tee = await demoOrganization(baseUrl, 'tee', former?.tee)
  const client = await demoOrganization(baseUrl, 'client', former?.client)
  return { client, tee }
}

/** The colour of the demo page, so that the wallet's dialogs look as if they belonged to it. */
const brandColor = '#a04f1e'

async function demoOrganization(
  baseUrl: string,
  signingMode: 'client' | 'tee',
  former: DevOrganization | undefined,
): Promise<DevOrganization> {
  if (former) {
    const headers = { authorization: `Bearer ${former.secret_key}` }
    const { status } = await httpCall(`${baseUrl}/v1/s2s/wallets?limit=1`, { headers })
    if (status === 200) {
      // Organizations of earlier releases had no members.
      await httpCall(`${baseUrl}/dev/organizations/${former.id}/owner`, {
        method: 'POST',
        body: { email: firstOwner },
      })
      return former
    }
  }
  const { status, body } = await httpCall(`${baseUrl}/dev/organizations`, {
    method: 'POST',
    body: {
      name: signingMode === 'tee' ? 'Demo (TEE mode)' : 'Demo (client mode)',
      signing_mode: signingMode,
    },
  })
  if (status !== 201)
    throw new Error(`The demo organization could not be created: ${status} ${JSON.stringify(body)}`)
  const organization = body as DevOrganization
  await httpCall(`${baseUrl}/dev/organizations/${organization.id}`, {
    method: 'PATCH',
    body: { brand_color: brandColor },
  })
  return organization
}
