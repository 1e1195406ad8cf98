import {
  type ExpectedEnclave,
  fetchKeyAttestation,
  type ReceiptProof,
  type ReceiptReport,
  verifyReceipt,
} from '@symbolon/sdk/verify'
import { receiptText } from './enclave-text.ts'
import { exitCodes } from './exit-codes.ts'
import { fieldOf, readExpectation } from './expected-options.ts'
import { jsonReport } from './json-report.ts'
import { keysOf } from './key-sets.ts'
import { asked, isUrl, savedAttestation } from './platform-address.ts'
import { type ReceiptArguments, receiptArguments, receiptUsage } from './receipt-arguments.ts'
import { readJson, readText, UnreadableError, type VerifyWorld } from './world.ts'

/** Runs `verify receipt`. Resolves with the exit code. */
export async function runReceipt(args: readonly string[], world: VerifyWorld): Promise<number> {
  const options = receiptArguments(args)
  if (options === 'help') {
    world.say(receiptUsage(world.called))
    return 0
  }
  const expected = await readExpectation(options, world)
  const report = await verify(options, expected.enclave, world)
  world.print(options.isJsonWanted ? jsonReport(report) : receiptText(report, expected.release))
  return exitCodes[report.verdict]
}

async function verify(
  options: ReceiptArguments,
  expected: ExpectedEnclave,
  world: VerifyWorld,
): Promise<ReceiptReport> {
  const { receiptFile, attestationSource: source, proofFile, keyFiles } = options
  const keys = keysOf(keyFiles, world)
  const proof = proofFile === undefined ? undefined : proofOf(proofFile, world)
  const receipt = receiptOf(receiptFile, world)
  const attestation = isUrl(source)
    ? await askedForKey(source, kidOf(receipt, receiptFile), world)
    : savedAttestation(source, world)
  try {
    return await verifyReceipt({ receipt, attestation, proof, keys, ...expected })
  } catch (error) {
    if (error instanceof TypeError) throw new UnreadableError(error.message)
    throw error
  }
}

const askedForKey = (source: string, kid: string, world: VerifyWorld) =>
  asked(source, () => fetchKeyAttestation({ baseUrl: source, kid, fetch: world.fetch }))

/** The JWS in a file: alone, or a member of JSON, as a SignResponse or the list of receipts has it. */
function receiptOf(file: string, world: VerifyWorld): string {
  const text = readText(world, file).trim()
  const receipt = text.startsWith('{') ? memberOf(readJson(world, file, 'a receipt')) : text
  if (typeof receipt === 'string' && receipt.split('.').length === 3) return receipt
  throw new UnreadableError(
    `${file} is not a receipt: save the member receipt of the answer, or the whole answer.`,
  )
}

const memberOf = (json: unknown): unknown =>
  fieldOf(json, 'receipt') ?? fieldOf(fieldOf(json, 'data'), 'receipt')

function kidOf(receipt: string, file: string): string {
  try {
    const [header = ''] = receipt.split('.')
    const kid = fieldOf(JSON.parse(atob(header.replaceAll('-', '+').replaceAll('_', '/'))), 'kid')
    if (typeof kid === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(kid)) return kid
  } catch {
    // Said below.
  }
  throw new UnreadableError(`${file} is not a receipt: its header names no key.`)
}

function proofOf(file: string, world: VerifyWorld): ReceiptProof {
  const proof = readJson(world, file, 'a proof: JSON with event, proof and checkpoint')
  const isWhole = ['event', 'proof', 'checkpoint'].every((name) => fieldOf(proof, name) !== undefined)
  if (!isWhole) throw new UnreadableError(`${file} is not a proof: it needs event, proof and checkpoint.`)
  return proof as ReceiptProof
}
