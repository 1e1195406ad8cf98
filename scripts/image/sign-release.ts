import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type ImageRelease, readRelease, releaseText } from '../../packages/crypto/src/attestation/index.ts'
import { EifError, measureEif, readEif } from '../../packages/enclave/src/image/index.ts'
import { ImageError } from './image-error.ts'

/**
 * The signed release of an enclave image: what the hardware measures of the file `image`, signed by the Ed25519 key of the file `key`
 * (PKCS #8, PEM). Throws `ImageError` where a file is not what it should be.
 */
export function signedRelease({
  image,
  key,
}: {
  readonly image: string
  readonly key: string
}): ImageRelease {
  // The key first: measuring is what takes time.
  const privateKey = privateKeyOf(key)
  const release = readRelease(measured(image))
  return { ...release, signature: sign(null, releaseText(release), privateKey).toString('base64url') }
}

function measured(file: string): unknown {
  const bytes = contentOf(file, 'npm run enclave:image makes an image')
  try {
    return measureEif(readEif(bytes))
  } catch (error) {
    if (error instanceof EifError) throw new ImageError(`${file}: ${error.message}.`)
    throw error
  }
}

function privateKeyOf(file: string): KeyObject {
  const pem = contentOf(file, 'openssl genpkey -algorithm ed25519 makes a key')
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch {
    // Said below, without what the file holds.
  }
  throw new ImageError(`${file} is not a private Ed25519 key as PEM without a passphrase.`)
}

function contentOf(file: string, hint: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new ImageError(`${file} cannot be read; ${hint}.`)
  }
}
