import { wipe } from '@symbolon/crypto'
import { type KeySheet, keySheet } from '../key-sheet.ts'
import { type Known, type RebuiltKey, rebuildKey } from '../rebuild-key.ts'
import { RescueError } from '../rescue-error.ts'
import { parseShare, type Share } from '../share.ts'
import { InputEnded, type LineReader } from './line-reader.ts'
import { type RescueArguments, rescueArguments, usage } from './rescue-arguments.ts'

/** What the program touches: a person or pipe to ask, two places to write to, and files. */
export type RescueWorld = {
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

/** Runs the program. Resolves with its exit code: 0 done, 1 refused, 2 wrong usage, 130 ended by the person. */
export async function runRescue(args: readonly string[], world: RescueWorld): Promise<number> {
  const options = rescueArguments(args)
  if (options === undefined || options.isHelpWanted) {
    world.say(usage)
    return options === undefined ? 2 : 0
  }
  const shares: Share[] = []
  try {
    for (const file of options.shareFiles) shares.push(parseShare(world.readFile(file)))
    while (shares.length < 2) shares.push(await askShare(world, shares.length + 1))
    await rescue(shares, options, world)
    return 0
  } catch (error) {
    if (error instanceof InputEnded) {
      world.say('\nNothing was rebuilt or shown.\n')
      return 130
    }
    if (!(error instanceof RescueError) && !isFileError(error)) throw error
    world.say(`${error.message}\n`)
    return 1
  } finally {
    wipe(...shares.map(({ bytes }) => bytes))
  }
}

async function rescue(
  [a, b]: readonly Share[],
  { known, outFile }: RescueArguments,
  world: RescueWorld,
): Promise<void> {
  if (a === undefined || b === undefined) return
  const rebuilt = await rebuild(a, b, known, world)
  try {
    const sheet = keySheet(rebuilt)
    world.say(publicText(sheet))
    if (outFile !== undefined) {
      world.writeNewFile(outFile, `${JSON.stringify(sheet, null, 2)}\n`)
      world.say(
        'The private keys are in the file, readable by you alone. Whoever reads it owns the wallet.\n',
      )
    } else if (await isShowingWanted(world)) world.print(secretText(sheet))
  } finally {
    wipe(rebuilt.key)
  }
}

/** Asks for what tells the key from a wrong one, where neither files nor arguments say it and somebody can answer. */
async function rebuild(a: Share, b: Share, known: Known, world: RescueWorld): Promise<RebuiltKey> {
  const origins = [a.origin, b.origin, known]
  const isProvable = origins.some(
    ({ address, publicKey }) => address !== undefined || publicKey !== undefined,
  )
  if (isProvable || !world.isInteractive) return rebuildKey(a, b, known)
  world.say('An address of the wallet, on any network, so that the key can be checked (Enter if unknown): ')
  const address = await world.reader.line({ isHidden: false })
  if (address !== '') return rebuildKey(a, b, { ...known, address })
  if (origins.some(({ curve }) => curve !== undefined)) return rebuildKey(a, b, known)
  world.say('Was it a wallet for [1] Ethereum, Bitcoin, Tron, Cosmos or [2] Solana, Near, Aptos, Stellar? ')
  const answer = await world.reader.line({ isHidden: false })
  if (answer !== '1' && answer !== '2') throw new RescueError('curve_needed')
  return rebuildKey(a, b, { ...known, curve: answer === '1' ? 'secp256k1' : 'ed25519' })
}

async function askShare({ isInteractive, reader, say }: RescueWorld, number: number): Promise<Share> {
  for (let tries = 1; ; tries++) {
    if (isInteractive) say(`Share ${number} of 2 (it is not shown): `)
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

async function isShowingWanted({ isInteractive, reader, say }: RescueWorld): Promise<boolean> {
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

function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
