import { ApiError } from '@symbolon/api'

/** What a Host header consists of (RFC 9110, section 7.2): a URL has more, and names another host by it. */
const hostForm = /^[^@/?#\\]+$/
const loopbackName = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/

/** Whether a Host header names loopback or a listed host. */
export function isHostAnswered(host: string | undefined, listed: readonly string[]): boolean {
  const isHost = host !== undefined && hostForm.test(host)
  const hostname = isHost ? URL.parse(`http://${host}`)?.hostname : undefined
  return hostname !== undefined && (loopbackName.test(hostname) || listed.includes(hostname))
}

/**
 * Refuses a request for a host name that is neither loopback's nor listed. A page elsewhere can give its own name the address 127.0.0.1
 * (DNS rebinding); its requests then carry that name as `Host`.
 */
export function checkHost(host: string | undefined, listed: readonly string[]): void {
  if (isHostAnswered(host, listed)) return
  throw new ApiError('forbidden', {
    message:
      'The development platform answers names of this machine (localhost) and the host of BASE_URL only.',
  })
}
