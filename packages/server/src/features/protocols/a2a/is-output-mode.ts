import type { WireVersion } from './push-config.ts'

const outputModes = ['text/plain', 'application/json', 'text/*', 'application/*', '*/*']
// Clients before 1.0 also name them by the kinds of parts.
const outputKinds = ['text', 'data']

/** Whether results come in a media type, in any case and with any parameters (RFC 9110, section 8.3.1). */
export function isOutputMode(mode: string, wireVersion: WireVersion): boolean {
  const type = (mode.split(';')[0] ?? '').trim().toLowerCase()
  return outputModes.includes(type) || (wireVersion === '0.3' && outputKinds.includes(type))
}
