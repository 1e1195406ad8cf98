import type { DemoConfig } from '../routes/demo-app.ts'
import type { Outcome } from './call-log.ts'

/** How an organization's keys are kept: in the user's browser, or in the enclave. */
export type SigningMode = 'client' | 'tee'

/** The configuration that the server wrote into the page. */
export const demoConfig: DemoConfig = JSON.parse(
  document.getElementById('demo-config')?.textContent ?? '',
) as DemoConfig

/** Answers by `data` or `error` as the SDK does: the development routes answer raw JSON and `{error: "…"}`. */
export async function devCall<data>(path: string, body?: object): Promise<Outcome<data>> {
  try {
    const answer = await fetch(path, {
      ...(body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    const content = (await answer.json()) as unknown
    if (answer.ok) return { data: content as data, error: null }
    const { error } = content as { error?: string }
    return { data: null, error: { code: `dev_${answer.status}`, message: String(error) } }
  } catch {
    return { data: null, error: { code: 'network_failed', message: 'The platform does not answer.' } }
  }
}
