import { setTimeout as sleep } from 'node:timers/promises'
import type { MailboxMessage } from '../mail/mailbox.store.ts'
import type { DevFile } from '../start/dev-file.ts'
import { httpCall } from '../start/http-call.ts'

const mailWithinMs = 10_000

/** Why a policy refused. */
export type Refusal = {
  reason: string
  layer: string
  rule: string
  limit: string | null
  actual: string | null
}

/** The answer to an agent: data, or why its policy refused. */
export type AgentAnswer<data> = { data: data; refusal: null } | { data: null; refusal: Refusal }

/** Calls the API as an app of the demo organization in TEE mode does. */
export type DemoClient = {
  /** `data` of the answer; throws with status, code and message where the API refuses. */
  call<data>(method: string, path: string, body?: unknown): Promise<data>
  /** The same with the secret key, as the organization's backend. */
  callAsBackend<data>(method: string, path: string, body?: unknown): Promise<data>
  /** The same with an agent's token: `refusal` holds the details of a `policy_violation`. */
  callAsAgent<data>(token: string, method: string, path: string, body?: unknown): Promise<AgentAnswer<data>>
  /** The same as the owner of the organization, in the portal. */
  callAsOwner<data>(method: string, path: string, body?: unknown): Promise<data>
  /** Logs in with the code that arrives by email; later calls carry the token. */
  logIn(email: string): Promise<void>
}

/** A client that starts with nothing but the publishable key, as a browser has it. */
export function demoClient({ base_url: baseUrl, organizations, portal }: DevFile): DemoClient {
  const headers: Record<string, string> = { 'x-service-publishable-key': organizations.tee.publishable_key }
  const backendHeaders = { authorization: `Bearer ${organizations.tee.secret_key}` }
  let ownerHeaders: Promise<Headers> | undefined
  const call = <data>(method: string, path: string, body?: unknown) =>
    send<data>(`${baseUrl}${path}`, method, headers, body)
  return {
    call,
    callAsBackend: (method, path, body) => send(`${baseUrl}${path}`, method, backendHeaders, body),
    callAsAgent: (token, method, path, body) => sendAsAgent(`${baseUrl}${path}`, token, method, body),
    callAsOwner: async (method, path, body) => {
      ownerHeaders ??= ownerSession(baseUrl, portal)
      return send(`${baseUrl}${path}`, method, await ownerHeaders, body)
    },
    async logIn(email) {
      await call('POST', '/v1/wallets/auth/email-otp/start', { email })
      const { token } = await call<{ token: string }>('POST', '/v1/wallets/auth/email-otp/verify', {
        email,
        code: await mailedCode(baseUrl, email),
      })
      headers['authorization'] = `Bearer ${token}`
    },
  }
}

type Headers = Record<string, string>

async function send<data>(url: string, method: string, headers: Headers, body: unknown): Promise<data> {
  const { status, body: answer } = await httpCall(url, { method, headers, body })
  const { data, error } = (answer ?? {}) as {
    data?: data
    error?: { code: string; message: string } | null
  }
  if (status >= 300) throw new Error(`${method} ${url}: ${status} ${error?.code} ${error?.message}`)
  return data as data
}

async function sendAsAgent<data>(
  url: string,
  token: string,
  method: string,
  body: unknown,
): Promise<AgentAnswer<data>> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await httpCall(url, { method, headers, body })
  const { data, error } = answer.body as {
    data: data
    error: { code: string; message: string; details: Refusal } | null
  }
  if (error === null) return { data, refusal: null }
  if (error.code !== 'policy_violation')
    throw new Error(`${method} ${url}: ${answer.status} ${error.code} ${error.message}`)
  return { data: null, refusal: error.details }
}

async function ownerSession(baseUrl: string, portal: DevFile['portal']): Promise<Headers> {
  const answer = await fetch(`${baseUrl}/dev/portal-session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(portal),
  })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (cookie === undefined) throw new Error('The platform returned no portal session')
  return { cookie, origin: baseUrl }
}

async function mailedCode(baseUrl: string, email: string): Promise<string> {
  const deadline = performance.now() + mailWithinMs
  while (performance.now() < deadline) {
    const { body } = await httpCall(`${baseUrl}/dev/mailbox/messages?to=${encodeURIComponent(email)}`)
    const found = (body as MailboxMessage[]).map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean)
    if (found !== undefined) return found
    await sleep(20)
  }
  throw new Error(`No email to ${email} arrived within ${mailWithinMs / 1000} s`)
}
