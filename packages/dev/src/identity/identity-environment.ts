import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the development identity provider is below the platform's address. */
export const providerPath = '/dev/idp'

/**
 * The API's settings for the login of portal users: the embedded provider, with a client secret that `folder` keeps, or whatever
 * the developer has set (`OIDC_ISSUER`).
 */
export function identityEnvironment(
  baseUrl: string,
  folder: string,
  given: Record<string, string>,
): Record<string, string> {
  if (given['OIDC_ISSUER'] !== undefined) return {}
  return {
    OIDC_ISSUER: `${baseUrl}${providerPath}`,
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: secretIn(path.join(folder, 'identity-client.txt')),
  }
}

function secretIn(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}
