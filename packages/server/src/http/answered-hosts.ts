import { ApiError } from '@symbolon/api'

const loopbackName = /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/

/**
 * Refuses a request for a host name that is neither loopback's nor listed. A page elsewhere can give its own name the address 127.0.0.1
 * (DNS rebinding); its requests then carry that name as `Host`.
 */
export function checkHost(host: string | undefined, listed: readonly string[]): void {
  const hostname = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
  if (hostname !== undefined && (loopbackName.test(hostname) || listed.includes(hostname))) return
  throw new ApiError('forbidden', {
    message:
      'The development platform answers names of this machine (localhost) and the host of BASE_URL only.',
  })
}
