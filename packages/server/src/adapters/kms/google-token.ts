import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import * as z from 'zod'
import type { KmsHttp } from './kms-http.ts'

/** The key of a Google service account. */
export type ServiceAccount = { email: string; keyId: string; privateKey: KeyObject }

/** Gives a token that is good for at least a minute; `forget` drops one that was refused. */
export type GoogleToken = { read(signal: AbortSignal): Promise<string>; forget(): void }

const lifetimeSeconds = 3_600
const marginMs = 60_000
const accountFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string(),
  private_key_id: z.string(),
  private_key: z.string(),
})
const metadataAnswer = z.object({ access_token: z.string(), expires_in: z.number() })

/** Reads the JSON file of a service account's key. Throws where it is another file. */
export function serviceAccount(text: string): ServiceAccount {
  const { client_email: email, private_key_id: keyId, private_key: pem } = accountFile.parse(JSON.parse(text))
  return { email, keyId, privateKey: createPrivateKey(pem) }
}

/**
 * Tokens for a Google service: signed here where there is a service account's key (https://google.aip.dev/auth/4111), otherwise those that the
 * metadata server of the machine or pod hands out.
 */
export function googleToken(options: {
  account: ServiceAccount | undefined
  audience: string
  metadata: { url: string; send: KmsHttp }
}): GoogleToken {
  const { account, audience, metadata } = options
  let held: { token: string; until: number } | undefined

  async function fetched(signal: AbortSignal) {
    const url = `${metadata.url}/computeMetadata/v1/instance/service-accounts/default/token`
    const headers = { 'metadata-flavor': 'Google' }
    const { status, body } = await metadata.send({ method: 'GET', url, headers, signal })
    if (status !== 200) throw new Error(`The metadata server answered ${status}.`)
    const { access_token: token, expires_in: seconds } = metadataAnswer.parse(
      JSON.parse(Buffer.from(body).toString()),
    )
    return { token, until: Date.now() + seconds * 1000 }
  }

  return {
    async read(signal) {
      if (held === undefined || held.until - Date.now() < marginMs)
        held = account === undefined ? await fetched(signal) : signed(account, audience, Date.now())
      return held.token
    },
    forget() {
      held = undefined
    },
  }
}

function signed({ email, keyId, privateKey }: ServiceAccount, audience: string, now: number) {
  const issuedAt = Math.floor(now / 1000)
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url')
  const head = part({ alg: 'RS256', typ: 'JWT', kid: keyId })
  const claims = part({
    iss: email,
    sub: email,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + lifetimeSeconds,
  })
  const signature = sign('sha256', Buffer.from(`${head}.${claims}`), privateKey).toString('base64url')
  return { token: `${head}.${claims}.${signature}`, until: now + lifetimeSeconds * 1000 }
}
