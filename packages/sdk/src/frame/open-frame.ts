import { failure, type Result } from '../result.ts'
import type { Link } from './connection.ts'
import type { FrameCode } from './frame-code.ts'
import { type FrameSource, frameLocation, frameUrlOf, withKey } from './frame-location.ts'
import { openLink } from './open-link.ts'

/**
 * Puts the wallet frame on the page: where the platform says that it is, or at `frameUrl`, where it loads while the platform is asked and
 * is given up as soon as the platform refuses the page or names another origin.
 */
export async function openFrame(
  document: Document,
  source: FrameSource,
  frameUrl: string | undefined,
): Promise<Result<Link, FrameCode>> {
  const asked = frameLocation(source)
  const own = frameUrlOf(frameUrl)
  if (own === undefined) {
    const found = await asked
    return found.error === null ? openLink(document, found.data) : found
  }
  const refused = asked.then((found) => {
    if (found.error !== null) return found
    const { origin } = found.data
    if (origin === own.origin) return undefined
    const message = `frameUrl is ${own.origin}, but the wallet frame of this platform is at ${origin}. Correct it, or leave it out.`
    return failure('frame_unreachable', message)
  })
  return openLink(document, withKey(own, source.publishableKey), refused)
}
