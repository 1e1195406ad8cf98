import type { ExpectedEnclave } from '@symbolon/sdk/verify'
import { openRelease } from './release-file.ts'
import { UsageError } from './usage-error.ts'
import { readJson, UnreadableError, type VerifyWorld } from './world.ts'

/** The options of both commands on enclaves, for `parseArgs`. */
export const expectedOptions = {
  ring: { type: 'string' },
  release: { type: 'string' },
  'release-key': { type: 'string' },
  pcr: { type: 'string', multiple: true, default: [] as string[] },
  'allow-simulated': { type: 'boolean', default: false },
  root: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** What those options say. */
export type ExpectedArguments = {
  readonly ringId: string | undefined
  readonly releaseFile: string | undefined
  /** Never without a release. */
  readonly releaseKeyFile: string | undefined
  readonly pcrs: readonly string[]
  readonly isSimulatedAllowed: boolean
  readonly rootFile: string | undefined
}

/** Their part of the usage. */
export const expectedUsage = `  --ring              the id of the key ring that it must be; without it, the command tells which one it is
  --release           the measurements of the image that must run: JSON with version, pcr0, pcr1, pcr2 and pcr8
  --release-key       the public key that must have signed the release: Ed25519, PEM
  --pcr               one register that the image must have, as <index>=<96 hex digits>; repeatable
  --allow-simulated   accepts the simulated attestation of a development start
  --root              the root of that simulation, base64 or PEM, or the file dev.json that names it
  --json              verdict, mode and findings as JSON
`

/** The part of the arguments that those options are, from what `parseArgs` read. Throws `UsageError`. */
export function expectedArguments(values: {
  readonly ring?: string | undefined
  readonly release?: string | undefined
  readonly 'release-key'?: string | undefined
  readonly pcr: readonly string[]
  readonly 'allow-simulated': boolean
  readonly root?: string | undefined
}): ExpectedArguments {
  const { ring, release, pcr, root } = values
  const releaseKey = values['release-key']
  requirePcrs(pcr)
  if (releaseKey !== undefined && release === undefined)
    throw new UsageError('--release-key needs --release.')
  return {
    ringId: ring,
    releaseFile: release,
    releaseKeyFile: releaseKey,
    pcrs: pcr,
    isSimulatedAllowed: values['allow-simulated'],
    rootFile: root,
  }
}

/** Throws `UsageError` where these are not registers, each named once. */
function requirePcrs(texts: readonly string[]): void {
  const indexes = texts.map((text) => parsePcr(text)?.[0])
  if (indexes.includes(undefined))
    throw new UsageError('--pcr must be <index>=<96 hex digits>, with an index of 31 at most.')
  const twice = indexes.find((index, at) => indexes.indexOf(index) < at)
  if (twice !== undefined) throw new UsageError(`--pcr names register ${twice} twice.`)
}

function parsePcr(text: string): readonly [number, string] | undefined {
  const [, index = '', hex = ''] = /^(\d{1,2})=([0-9a-f]{96})$/i.exec(text) ?? []
  return hex === '' || Number(index) > 31 ? undefined : [Number(index), hex.toLowerCase()]
}

/** What the options and their files expect, and in words who vouches for the release; null without one. */
export type Expectation = { readonly enclave: ExpectedEnclave; readonly release: string | null }

/** Reads the files that the options name. Throws `UnreadableError`. */
export async function readExpectation(options: ExpectedArguments, world: VerifyWorld): Promise<Expectation> {
  const { ringId, releaseFile, releaseKeyFile, pcrs, isSimulatedAllowed, rootFile } = options
  const named = Object.fromEntries(pcrs.map(parsePcr).filter((pcr) => pcr !== undefined))
  const release =
    releaseFile === undefined ? undefined : await openRelease({ releaseFile, releaseKeyFile }, world)
  const contradicted = Object.keys(named).find((index) => {
    const own = release?.measurements[Number(index)]
    return own !== undefined && own !== named[index]
  })
  if (contradicted !== undefined)
    throw new UnreadableError(`--pcr ${contradicted} contradicts ${releaseFile}: no image can have both.`)
  const measurements = { ...release?.measurements, ...named }
  const enclave = {
    ringId,
    measurements: Object.keys(measurements).length === 0 ? undefined : [measurements],
    isSimulatedAllowed,
    simulatedRoot: rootFile === undefined ? undefined : rootOf(rootFile, world),
  }
  return { enclave, release: release?.vouchedBy ?? null }
}

function rootOf(file: string, world: VerifyWorld): Uint8Array {
  const bytes = world.readFile(file)
  // DER begins with a sequence of two length bytes.
  if (bytes[0] === 0x30 && bytes[1] === 0x82) return bytes
  const text = new TextDecoder().decode(bytes)
  const given = text.trimStart().startsWith('{')
    ? fieldOf(readJson(world, file, 'JSON'), 'attestation_root')
    : text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----/g, '')
  const der = typeof given === 'string' ? fromBase64(given.replaceAll(/\s/g, '')) : undefined
  if (der?.[0] !== 0x30)
    throw new UnreadableError(`${file} is not a certificate: base64 of its DER, PEM, or dev.json.`)
  return der
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** A member of a JSON object, or undefined. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
