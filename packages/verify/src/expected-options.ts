import type { ExpectedEnclave, Measurements } from '@symbolon/sdk/verify'
import { readJson, UnreadableError, type VerifyWorld } from './world.ts'

/** The options of both commands on enclaves, for `parseArgs`. */
export const expectedOptions = {
  ring: { type: 'string' },
  release: { type: 'string' },
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
  readonly pcrs: readonly string[]
  readonly isSimulatedAllowed: boolean
  readonly rootFile: string | undefined
}

/** Their part of the usage. */
export const expectedUsage = `  --ring              the id of the key ring that it must be; without it, the command tells which one it is
  --release           the measurements of the image that must run: JSON with version, pcr0, pcr1, pcr2 and pcr8
  --pcr               one register that the image must have, as <index>=<96 hex digits>; repeatable
  --allow-simulated   accepts the simulated attestation of a development start
  --root              the root of that simulation, base64 or PEM, or the file dev.json that names it
  --json              verdict, mode and findings as JSON
`

/** Whether these are registers, each named once. */
export function arePcrs(texts: readonly string[]): boolean {
  const pcrs = texts.map(parsePcr)
  return !pcrs.includes(undefined) && new Set(pcrs.map((pcr) => pcr?.[0])).size === pcrs.length
}

function parsePcr(text: string): readonly [number, string] | undefined {
  const [, index = '', hex = ''] = /^(\d{1,2})=([0-9a-f]{96})$/i.exec(text) ?? []
  return hex === '' || Number(index) > 31 ? undefined : [Number(index), hex.toLowerCase()]
}

/** The enclave that the options and their files expect. Throws `UnreadableError`. */
export function expectedEnclave(options: ExpectedArguments, world: VerifyWorld): ExpectedEnclave {
  const { ringId, releaseFile, pcrs, isSimulatedAllowed, rootFile } = options
  const named = Object.fromEntries(pcrs.map(parsePcr).filter((pcr) => pcr !== undefined))
  const release = releaseFile === undefined ? {} : releaseOf(releaseFile, world)
  const contradicted = Object.keys(named).find((index) => {
    const own = release[Number(index)]
    return own !== undefined && own !== named[index]
  })
  if (contradicted !== undefined)
    throw new UnreadableError(`--pcr ${contradicted} contradicts ${releaseFile}: no image can have both.`)
  const measurements = { ...release, ...named }
  return {
    ringId,
    measurements: Object.keys(measurements).length === 0 ? undefined : [measurements],
    isSimulatedAllowed,
    simulatedRoot: rootFile === undefined ? undefined : rootOf(rootFile, world),
  }
}

function releaseOf(file: string, world: VerifyWorld): Measurements {
  const release = readJson(world, file, 'a release: JSON with version, pcr0, pcr1 and pcr2')
  const measurements: Record<number, string> = {}
  for (const index of [0, 1, 2, 8]) {
    const value = fieldOf(release, `pcr${index}`)
    if (typeof value === 'string' && /^[0-9a-f]{96}$/.test(value)) measurements[index] = value
    // An image that nobody signed has no PCR8.
    else if (index !== 8 || (value !== null && value !== undefined))
      throw new UnreadableError(`${file} is not a release: it needs pcr0, pcr1 and pcr2 as 96 hex digits.`)
  }
  return measurements
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
