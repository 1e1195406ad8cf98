import { readJson, UnreadableError, type VerifyWorld } from './world.ts'

/** Whether an argument is a platform rather than a file. */
export const isUrl = (source: string): boolean => /^https?:\/\//i.test(source) && URL.canParse(source)

const hostAndPort = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+|\[[0-9a-f:]+\])(?::\d{1,5})(?:\/.*)?$/i
const hostAlone = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i
const ofThisMachine = /^(?:localhost|127\.|\[::1\])/i

/** A platform's address that was written without its scheme, with it; undefined of what may as well be a file. */
export const withScheme = (source: string): string | undefined =>
  hostAndPort.test(source) ? `${ofThisMachine.test(source) ? 'http' : 'https'}://${source}` : undefined

/** Asks a platform. Throws `UnreadableError` where the URL is no address of one. */
export async function asked<answer>(source: string, ask: () => Promise<answer>): Promise<answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // Neither a password nor a query is repeated.
    const shown = source.replace(/\/\/[^/@]*@/, '//…@').replace(/([?#]).*$/s, '$1…')
    throw new UnreadableError(
      `${shown} is not the address of a platform: leave out /v1, a password, and everything from ? or # on.`,
    )
  }
}

/** The attestation in a file. Throws `UnreadableError`, which says so of an address without its scheme. */
export function savedAttestation(source: string, world: VerifyWorld): unknown {
  const address = withScheme(source)
  if (address !== undefined)
    throw new UnreadableError(`${source} is an address without its scheme: say ${address}.`)
  try {
    return readJson(world, source, 'an attestation')
  } catch (error) {
    if (!(error instanceof UnreadableError) || !hostAlone.test(source)) throw error
    throw new UnreadableError(`${error.message} The address of a platform begins with https://.`)
  }
}
