import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  firstManifest,
  isApiJwk,
  isOperatorJwk,
  type Manifest,
  type ManifestContent,
  ManifestError,
} from '@symbolon/crypto/node'
import { makeRingFile } from './file-root.ts'
import { makeManifestFile, manifestFileOf } from './manifest-file.ts'
import { RingError } from './ring.ts'

const usage = `Usage: make-ring-main.ts <file> --api-key <file>... --operator <file>... [options]

Makes the key ring of an installation and its first manifest, or the manifest of a ring that has none. Prints the id of the ring.

  --api-key <file>     public key of the API (JWK, X25519), once for each
  --operator <file>    public key of an operator (JWK, P-256), once for each
  --quorum <k>         how many operators sign the next manifest; all of them by default
  --base-url <url>     address of the platform
  --frame-url <url>    address of the wallet frame
  --frame-sha256 <hex> hash of the wallet frame, as npm run frame:measure prints it
  --image <file>       measurements of an image, as npm run enclave:measure prints them, once for each
`

const noRing = 'A'.repeat(43)

/** What cannot be made of these arguments, in a sentence. */
class ArgumentFault extends Error {
  override readonly name = 'ArgumentFault'
}

try {
  const { file, content } = readArguments()
  const place = manifestFileOf(file)
  if (existsSync(place))
    throw new ArgumentFault(`${place} exists already: a ring gets its first manifest once.`)
  // Before there is a ring: what is not a manifest leaves nothing behind.
  firstManifest(noRing, content)
  const ringId = makeRingFile(file)
  makeManifestFile(file, content)
  process.stdout.write(`${ringId}\n`)
} catch (error) {
  if (!(error instanceof ArgumentFault || error instanceof ManifestError || error instanceof RingError)) {
    process.stderr.write(usage)
    process.exitCode = 2
  } else {
    process.stderr.write(`${error instanceof RingError ? `${error.place}: ` : ''}${error.message}\n`)
    process.exitCode = 1
  }
}

function readArguments(): { file: string; content: ManifestContent } {
  const list = { type: 'string', multiple: true, default: [] as string[] } as const
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'api-key': list,
      operator: list,
      image: list,
      quorum: text,
      'base-url': text,
      'frame-url': text,
      'frame-sha256': text,
    },
  })
  const [file, ...rest] = positionals
  const { 'api-key': apiKeys, operator: operators, image: images, quorum } = values
  if (file === undefined || rest.length > 0 || apiKeys.length === 0 || operators.length === 0)
    throw new TypeError('usage')
  const keyOf = (name: string, isKey: typeof isApiJwk, kind: string) => {
    const key = jsonIn(name)
    if (!isKey(key)) throw new ArgumentFault(`${name} is not the public key of ${kind}, and nothing more.`)
    return key
  }
  const n = operators.length
  return {
    file,
    content: {
      images: images.map((name) => jsonIn(name) as Manifest['images'][number]),
      api_keys: apiKeys.map((name) => keyOf(name, isApiJwk, 'an API (JWK, X25519)')),
      operators: operators.map((name) => keyOf(name, isOperatorJwk, 'an operator (JWK, P-256)')),
      quorum: { k: quorum === undefined ? n : Number(quorum), n },
      configuration: {
        state_acceptance: 'operators',
        base_url: values['base-url'] ?? null,
        frame_url: values['frame-url'] ?? null,
        frame_sha256: values['frame-sha256'] ?? null,
        chains_sha256: null,
        tokens_sha256: null,
        clear_signing_root: null,
        price_keys: [],
      },
    },
  }
}

function jsonIn(name: string): unknown {
  try {
    return JSON.parse(readFileSync(name, 'utf8'))
  } catch {
    throw new ArgumentFault(`${name} cannot be read as JSON.`)
  }
}
