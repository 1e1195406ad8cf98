import { type ExpectedEnclave, type FrameReport, verifyFrame } from '@symbolon/sdk/verify'
import { frameText } from './enclave-text.ts'
import { exitCodes } from './exit-codes.ts'
import { readExpectation } from './expected-options.ts'
import { frameArguments, frameUsage } from './frame-arguments.ts'
import { jsonReport } from './json-report.ts'
import { asked, isUrl, withScheme } from './platform-address.ts'
import { UsageError } from './usage-error.ts'
import { UnreadableError, type VerifyWorld } from './world.ts'

/** Runs `verify frame`. Resolves with the exit code. */
export async function runFrame(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = frameArguments(args)
  if (options === 'help') {
    world.say(frameUsage(world.called))
    return 0
  }
  // Report unreadable files before asking anybody.
  const { enclave, release } = await readExpectation(options, world)
  const { baseUrl, ...own } = platformOf(options.source, world)
  const expected = { ...enclave, ...own, publishableKey: options.publishableKey }
  const report = await verify(baseUrl, expected, world)
  world.print(options.isJsonWanted ? jsonReport(report) : frameText(report, release))
  return exitCodes[report.verdict]
}

/** The platform that is named, or the installation of this machine, of which a simulated root is known. */
function platformOf(
  source: string | undefined,
  world: VerifyWorld,
): { readonly baseUrl: string } & Pick<ExpectedEnclave, 'isSimulatedAllowed' | 'simulatedRoot'> {
  const own = source === undefined ? world.ownPlatform?.() : undefined
  if (own !== undefined) {
    const { baseUrl, simulatedRoot } = own
    return { baseUrl, ...(simulatedRoot !== undefined && { isSimulatedAllowed: true, simulatedRoot }) }
  }
  if (source === undefined) throw new UsageError("A platform's base URL is required.")
  if (isUrl(source)) return { baseUrl: source }
  const address = withScheme(source)
  throw new UnreadableError(
    address === undefined
      ? `${source} is not the address of a platform: it begins with https://.`
      : `${source} is an address without its scheme: say ${address}.`,
  )
}

async function verify(
  baseUrl: string,
  expected: ExpectedEnclave & { readonly publishableKey: string | undefined },
  world: VerifyWorld,
): Promise<FrameReport> {
  try {
    return await verifyFrame({ baseUrl, fetch: world.fetch, ...expected })
  } catch (error) {
    // What answers is not a platform, or the address is none: `asked` has the words for both.
    if (error instanceof TypeError && error.message.startsWith('This is not an attestation'))
      throw new UnreadableError(`${baseUrl}: ${error.message}`)
    return asked(baseUrl, () => Promise.reject(error))
  }
}
