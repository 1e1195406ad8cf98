import {
  type ExpectedEnclave,
  fetchAttestation,
  type VerifiedAttestation,
  verifyAttestation,
} from '@symbolon/sdk/verify'
import { attestationArguments, attestationUsage } from './attestation-arguments.ts'
import { attestationText } from './enclave-text.ts'
import { exitCodes } from './exit-codes.ts'
import { readExpectation } from './expected-options.ts'
import { jsonReport } from './json-report.ts'
import { asked, isUrl, savedAttestation } from './platform-address.ts'
import { UnreadableError, type VerifyWorld } from './world.ts'

/** Runs `verify attestation`. Resolves with the exit code. */
export async function runAttestation(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = attestationArguments(args)
  if (options === 'help') {
    world.say(attestationUsage(world.called))
    return 0
  }
  // Report unreadable files before asking anybody.
  const expected = await readExpectation(options, world)
  const report = await verify(options.source, expected.enclave, world)
  world.print(options.isJsonWanted ? jsonReport(report) : attestationText(report, expected.release))
  return exitCodes[report.verdict]
}

async function verify(
  source: string,
  expected: ExpectedEnclave,
  world: VerifyWorld,
): Promise<VerifiedAttestation> {
  const { attestation, nonce } = isUrl(source)
    ? await asked(source, () => fetchAttestation({ baseUrl: source, fetch: world.fetch }))
    : { attestation: savedAttestation(source, world), nonce: undefined }
  try {
    return await verifyAttestation({ attestation, nonce, nowMs: world.nowMs(), ...expected })
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableError(`${source}: ${error.message}`)
    throw error
  }
}
