import { setTimeout as sleep } from 'node:timers/promises'
import type { MailboxMessage } from '../mail/mailbox.store.ts'
import type { DevFile } from '../start/dev-file.ts'
import { httpCall } from '../start/http-call.ts'

const mailWithinMs = 10_000

/** Calls the API as an app of the demo organization in TEE mode does. */
export type DemoClient = {
  /** `data` of the answer; throws with status, code and message where the API refuses. */
  call<data>(method: string, path: string, body?: unknown): Promise<data>
  /** The same with the secret key, as the organization's backend. */
  callAsBackend<data>(method: string, path: string, body?: unknown): Promise<data>
  /** Logs in with the code that arrives by mail; later calls carry the token. */
  logIn(email: string): Promise<void>
}

/** A client that starts with nothing but the publishable key, as a browser has it. */
export function demoClient({ base_url: baseUrl, organizations }: DevFile): DemoClient {
  const headers: Record<string, string> = { 'x-service-publishable-key': organizations.tee.publishable_key }

  const backendHeaders = { authorization: `Bearer ${organizations.tee.secret_key}` }
  const call = <data>(method: string, path: string, body?: unknown) => send<data>(method, path, headers, body)

  async function send<data>(
    method: string,
    path: string,
    credentials: Record<string, string>,
    body: unknown,
  ): Promise<data> {
    const { status, body: answer } = await httpCall(`${baseUrl}${path}`, {
      method,
      headers: credentials,
      body,
    })
    const { data, error } = (answer ?? {}) as {
      data?: data
      error?: { code: string; message: string } | null
    }
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${error?.code} ${error?.message}`)
    return data as data
  }

  async function code(email: string): Promise<string> {
    const deadline = performance.now() + mailWithinMs
    while (performance.now() < deadline) {
      const { body } = await httpCall(`${baseUrl}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
      const found = (body as MailboxMessage[]).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean)
      if (found !== undefined) return found
      await sleep(20)
    }
    throw new Error(`No mail to ${email} arrived within ${mailWithinMs / 1000} s`)
  }

  return {
    call,
    callAsBackend: (method, path, body) => send(method, path, backendHeaders, body),
    async logIn(email) {
      await call('POST', '/v1/wallets/auth/email-otp/start', { email })
      const { token } = await call<{ token: string }>('POST', '/v1/wallets/auth/email-otp/verify', {
        email,
        code: await code(email),
      })
      headers['authorization'] = `Bearer ${token}`
    },
  }
}
