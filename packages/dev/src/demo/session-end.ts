import { httpCall } from '../start/http-call.ts'

const lifetimeMs = 3_600_000

/** When a session of the demo ends (ISO 8601): an hour from the platform's own time, which may have been moved. */
export async function sessionEnd(baseUrl: string): Promise<string> {
  const { status, body } = await httpCall(`${baseUrl}/dev/clock`, {
    method: 'POST',
    body: { advance_ms: 0 },
  })
  if (status !== 200) throw new Error(`The platform returned no time: ${status}`)
  return new Date(Date.parse((body as { now: string }).now) + lifetimeMs).toISOString()
}
