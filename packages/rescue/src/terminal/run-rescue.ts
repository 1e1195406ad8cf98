import { wipe } from '@symbolon/crypto'
import { type Curve, curveLabel, networks } from '@symbolon/networks/browser'
import { type KeySheet, keySheet } from '../key-sheet.ts'
import { type Known, type RebuiltKey, rebuildKey } from '../rebuild-key.ts'
import { RescueError } from '../rescue-error.ts'
import { parseShare, type Share } from '../share.ts'
import { FileRefusal, withFile } from './file-refusal.ts'
import { InputEnded, type LineReader } from './line-reader.ts'
import { type RescueArguments, rescueArguments, usage } from './rescue-arguments.ts'

/** The program's surroundings: a person or pipe to ask, two outputs, and files. */
export type RescuePorts = {
  readonly isInteractive: boolean
  readonly reader: LineReader
  /** For the person: questions, addresses, warnings. */
  say(text: string): void
  /** The keys. */
  print(text: string): void
  readFile(path: string): string
  /** Makes a new file that only its owner can read, and refuses to replace one. */
  writeNewFile(path: string, text: string): void
}

const triesMax = 3
/** Nobody can be asked at a pipe. */
const curveAdvice = `The shares do not name their curve. Give one of these:
  --curve secp256k1     for ${curveLabel(networks, 'secp256k1')}
  --curve ed25519       for ${curveLabel(networks, 'ed25519')}
  --address <address>   an address of the wallet, which also checks the key
`

/** Runs the program. Resolves with its exit code: 0 done, 1 refused, 2 wrong usage, 130 ended by the person. */
export async function runRescue(args: readonly string[], ports: RescuePorts): Promise<number> {
  const options = rescueArguments(args)
  if ('problem' in options) {
    ports.say(`${options.problem}\n\n${usage}`)
    return 2
  }
  if (options.isHelpWanted) {
    ports.say(usage)
    return 0
  }
  const shares: Share[] = []
  try {
    for (const file of options.shareFiles)
      shares.push(parseShare(withFile('read', file, () => ports.readFile(file))))
    while (shares.length < 2) shares.push(await askShare(ports, shares.length + 1))
    await rescue(shares, options, ports)
    return 0
  } catch (error) {
    if (error instanceof InputEnded) {
      ports.say('\nNothing was rebuilt or shown.\n')
      return 130
    }
    if (!(error instanceof RescueError) && !(error instanceof FileRefusal)) throw error
    const isCurveMissing = error instanceof RescueError && error.code === 'curve_needed'
    ports.say(isCurveMissing ? curveAdvice : `${error.message}\n`)
    return 1
  } finally {
    wipe(...shares.map(({ bytes }) => bytes))
  }
}

async function rescue(
  [a, b]: readonly Share[],
  { known, outFile }: RescueArguments,
  ports: RescuePorts,
): Promise<void> {
  if (a === undefined || b === undefined) return
  const rebuilt = await rebuild(a, b, known, ports)
  try {
    const sheet = keySheet(rebuilt)
    ports.say(publicText(sheet))
    if (outFile !== undefined) {
      withFile('write', outFile, () => ports.writeNewFile(outFile, `${JSON.stringify(sheet, null, 2)}\n`))
      ports.say(
        'The private keys are in the file, readable by you alone. Whoever reads it owns the wallet.\n',
      )
    } else if (await isShowingWanted(ports)) ports.print(secretText(sheet))
  } finally {
    wipe(rebuilt.key)
  }
}

/** Asks for a fact that proves the key, if neither files nor arguments give one and somebody can answer. */
async function rebuild(a: Share, b: Share, known: Known, ports: RescuePorts): Promise<RebuiltKey> {
  const origins = [a.origin, b.origin, known]
  const isProvable = origins.some(
    ({ address, publicKey }) => address !== undefined || publicKey !== undefined,
  )
  if (isProvable || !ports.isInteractive) return rebuildKey(a, b, known)
  const rebuilt = await rebuildByAddress(a, b, known, ports)
  if (rebuilt !== undefined) return rebuilt
  if (origins.some(({ curve }) => curve !== undefined)) return rebuildKey(a, b, known)
  return rebuildKey(a, b, { ...known, curve: await askCurve(ports) })
}

/** Asks until the input is an address; `undefined` if none is known. */
async function rebuildByAddress(
  a: Share,
  b: Share,
  known: Known,
  { say, reader }: RescuePorts,
): Promise<RebuiltKey | undefined> {
  for (;;) {
    say('An address of the wallet on any network, to check the key (Enter to skip): ')
    const address = await reader.line({ isHidden: false })
    if (address === '') return undefined
    try {
      return rebuildKey(a, b, { ...known, address })
    } catch (error) {
      if (!(error instanceof RescueError) || error.code !== 'not_an_address') throw error
      say(`${error.message}\n`)
    }
  }
}

async function askCurve({ say, reader }: RescuePorts): Promise<Curve> {
  for (;;) {
    say(
      `Was it a wallet for [1] ${curveLabel(networks, 'secp256k1')} or [2] ${curveLabel(networks, 'ed25519')}? `,
    )
    const answer = await reader.line({ isHidden: false })
    if (answer === '1') return 'secp256k1'
    if (answer === '2') return 'ed25519'
    say('Type 1 or 2.\n')
  }
}

async function askShare({ isInteractive, reader, say }: RescuePorts, number: number): Promise<Share> {
  for (let tries = 1; ; tries++) {
    if (isInteractive) say(`Share ${number} of 2 (hidden as you type): `)
    let text = await reader.line({ isHidden: true })
    // A share file may be pasted with its line breaks.
    while (text.startsWith('{') && !text.endsWith('}')) text += `\n${await reader.line({ isHidden: true })}`
    try {
      return parseShare(text)
    } catch (error) {
      if (!(error instanceof RescueError) || !isInteractive || tries >= triesMax) throw error
      say(`${error.message}\n`)
    }
  }
}

async function isShowingWanted({ isInteractive, reader, say }: RescuePorts): Promise<boolean> {
  if (!isInteractive) return true
  say('\nWhoever sees the private keys owns the wallet. Type "show" to see them here: ')
  return (await reader.line({ isHidden: false })) === 'show'
}

function publicText({ curve, publicKey, warning, networks }: KeySheet): string {
  const addresses = networks.flatMap((entry) => Object.entries(entry.addresses))
  const rows = addresses.map(([name, address]) => `  ${name.padEnd(16)} ${address}`)
  const notice = warning === null ? [] : ['', `WARNING: ${warning}`]
  return [`The key of a ${curve} wallet, public key ${publicKey}:`, ...rows, ...notice, ''].join('\n')
}

function secretText({ networks }: KeySheet): string {
  return `${networks.map(({ label, privateKey }) => `${label}\n  ${privateKey}`).join('\n')}\n`
}
