import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** A JSON answer; `body` is undefined where there was none. */
export type HttpAnswer = { status: number; body: unknown }

/** One small JSON request by node:http, whose import costs the start nothing, unlike fetch. Rejects when nobody answers. */
export function httpCall(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const call = request(
      url,
      {
        method,
        agent: false,
        timeout: 5_000,
        headers: { ...headers, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          try {
            resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) })
          } catch (error) {
            reject(error)
          }
        })
      },
    )
    call.on('timeout', () => call.destroy(new Error(`${url} did not answer in time`)))
    call.on('error', reject)
    call.end(sent)
  })
}

/** Resolves as soon as an answer of the address is enough (200 by default); rejects with the last one after `withinMs`. */
export async function untilServed(
  url: string,
  {
    withinMs,
    everyMs = 10,
    isEnough = ({ status }) => status === 200,
  }: { withinMs: number; everyMs?: number; isEnough?: (answer: HttpAnswer) => boolean },
): Promise<void> {
  const deadline = performance.now() + withinMs
  let last = 'nothing'
  while (performance.now() < deadline) {
    try {
      const answer = await httpCall(url)
      if (isEnough(answer)) return
      const { status, body } = answer
      last = `${status} ${JSON.stringify(body)}`
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
    await sleep(everyMs)
  }
  throw new Error(`${url} did not become ready within ${withinMs / 1000} s; the last answer was: ${last}`)
}
