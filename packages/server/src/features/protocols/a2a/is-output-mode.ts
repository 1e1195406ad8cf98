import type { WireVersion } from './push-config.ts'

const outputModes = ['text/plain', 'application/json', 'text/*', 'application/*', '*/*']
// The kinds of parts, by which clients before 1.0 name them too.
const outputKinds = ['text', 'data']

/** Whether results come in a media type, in whatever case and with whatever parameters (RFC 9110, section 8.3.1). */
export function isOutputMode(mode: string, wireVersion: WireVersion): boolean {
  const type = (mode.split(';')[0] ?? '').trim().toLowerCase()
  return outputModes.includes(type) || (wireVersion === '0.3' && outputKinds.includes(type))
}
