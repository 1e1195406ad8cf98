import { answerFields, text } from '../api/answer-fields.ts'
import type { Handlers } from '../connect/talk.ts'
import type { Vault } from './vault.ts'

const path = '/v1/wallets/auth/email-otp'

/** Asks for a login code that works in this browser alone. */
export const startLogin =
  ({ api, device }: Vault): Handlers['login.start'] =>
  async ({ email }, signal) => {
    await api({ method: 'POST', path: `${path}/start`, body: { email, client_nonce: device }, signal })
    return {}
  }

/** Trades the emailed code for the page's token. */
export const verifyLogin =
  ({ api, device }: Vault): Handlers['login.verify'] =>
  async ({ email, code }, signal) => {
    const body = { email, code, client_nonce: device }
    const fields = answerFields(await api({ method: 'POST', path: `${path}/verify`, body, signal }))
    return {
      token: text(fields, 'token'),
      user_identity_id: text(fields, 'user_identity_id'),
      email: text(fields, 'email'),
    }
  }
