import { createPublicKey } from 'node:crypto'
import { type Measurements, ReleaseRefusedError, readRelease, verifyRelease } from '@symbolon/sdk/verify'
import { readJson, readText, UnreadableError, type VerifyWorld } from './world.ts'

/** What a release's file says: the registers of its image, and in words who vouches for them. */
export type OpenedRelease = { readonly measurements: Measurements; readonly vouchedBy: string }

/**
 * Opens the file of a release; with a key (a public Ed25519 key as PEM), only where its owner signed it. Throws `UnreadableError`
 * otherwise, since nothing can be compared with a release that somebody else made.
 */
export async function openRelease(
  {
    releaseFile,
    releaseKeyFile,
  }: { readonly releaseFile: string; readonly releaseKeyFile: string | undefined },
  world: VerifyWorld,
): Promise<OpenedRelease> {
  const release = readJson(world, releaseFile, 'a release: JSON with version, pcr0, pcr1 and pcr2')
  try {
    if (releaseKeyFile !== undefined) {
      const publicKey = publicKeyOf(releaseKeyFile, world)
      return {
        measurements: await verifyRelease({ release, publicKey }),
        vouchedBy: `signed by the key of ${releaseKeyFile}`,
      }
    }
    const { signature, measurements } = readRelease(release)
    const vouchedBy =
      signature === undefined
        ? 'release not signed: you vouch for the file'
        : 'signature not checked: name its key with --release-key'
    return { measurements, vouchedBy }
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReleaseRefusedError)
      throw new UnreadableError(`${releaseFile}: ${error.message}`)
    throw error
  }
}

/** The 32 bytes of an Ed25519 key in PEM (RFC 7468, RFC 8410). */
function publicKeyOf(file: string, world: VerifyWorld): Uint8Array {
  const pem = readText(world, file)
  // Node would take a private key here and make its public one: nobody should bring that along.
  if (!pem.includes('PRIVATE KEY')) {
    try {
      const { kty, crv, x } = createPublicKey(pem).export({ format: 'jwk' })
      if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined) return Buffer.from(x, 'base64url')
    } catch {
      // Said below.
    }
  }
  throw new UnreadableError(`${file} is not a public Ed25519 key as PEM.`)
}
